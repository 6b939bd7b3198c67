// Printing has no effect on memory and gives any result. What a format makes of pointers to text is
// not read; what is written into a buffer is any text. Reading input is left to the rule for
// unknown functions.

static char heddle_streams[3];

FILE *stdin = (FILE *)&heddle_streams[0];
FILE *stdout = (FILE *)&heddle_streams[1];
FILE *stderr = (FILE *)&heddle_streams[2];

ANY_RESULT int printf(const char *format, ...) { return __VERIFIER_nondet_int(); }
ANY_RESULT int fprintf(FILE *stream, const char *format, ...) { return __VERIFIER_nondet_int(); }
ANY_RESULT int dprintf(int file, const char *format, ...) { return __VERIFIER_nondet_int(); }
ANY_RESULT int vprintf(const char *format, __builtin_va_list arguments) {
  return __VERIFIER_nondet_int();
}
ANY_RESULT int vfprintf(FILE *stream, const char *format, __builtin_va_list arguments) {
  return __VERIFIER_nondet_int();
}
ANY_RESULT int puts(const char *text) { return __VERIFIER_nondet_int(); }
ANY_RESULT int fputs(const char *text, FILE *stream) { return __VERIFIER_nondet_int(); }
ANY_RESULT int putchar(int character) { return __VERIFIER_nondet_int(); }
ANY_RESULT int putc(int character, FILE *stream) { return __VERIFIER_nondet_int(); }
ANY_RESULT int fputc(int character, FILE *stream) { return __VERIFIER_nondet_int(); }
ANY_RESULT int fflush(FILE *stream) { return __VERIFIER_nondet_int(); }
ANY_RESULT int setvbuf(FILE *stream, char *buffer, int mode, size_t size) {
  return __VERIFIER_nondet_int();
}

void setbuf(FILE *stream, char *buffer) {}
void perror(const char *text) {}

ANY_RESULT int getchar(void) {
  int character = __VERIFIER_nondet_int();
  __VERIFIER_assume(character >= -1 && character <= 255);
  return character;
}

int sprintf(char *buffer, const char *format, ...) {
  __heddle_clobber(buffer);
  return __VERIFIER_nondet_int();
}

int snprintf(char *buffer, size_t size, const char *format, ...) {
  if (size != 0) __heddle_clobber(buffer);
  return __VERIFIER_nondet_int();
}

int vsprintf(char *buffer, const char *format, __builtin_va_list arguments) {
  __heddle_clobber(buffer);
  return __VERIFIER_nondet_int();
}

int vsnprintf(char *buffer, size_t size, const char *format, __builtin_va_list arguments) {
  if (size != 0) __heddle_clobber(buffer);
  return __VERIFIER_nondet_int();
}
