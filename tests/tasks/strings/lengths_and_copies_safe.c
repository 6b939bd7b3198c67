// The common string functions.
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }
static void check(int condition) {
  if (!condition) reach_error();
}

char buffer[8];

int main(void) {
  strcpy(buffer, "ab");
  strcat(buffer, "cd");
  check(strlen(buffer) == 4);
  check(strcmp(buffer, "abcd") == 0 && strcmp(buffer, "abce") < 0);
  check(strncmp(buffer, "abXX", 2) == 0);
  check(strchr(buffer, 'c') == buffer + 2);
  check(strchr(buffer, 'z') == 0);
  strncpy(buffer, "xy", 3);
  check(buffer[2] == 0 && buffer[3] == 'd');
  return 0;
}
