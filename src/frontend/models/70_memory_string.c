// The heap and string.h. Blocks of memory are copied and set word by word as long as a word is
// left, then byte by byte: each word or byte is one step that others may come between.

typedef unsigned long heddle_word;

static void heddle_copy_forward(char *to, const char *from, size_t size) {
  size_t done = 0;
  while (size - done >= sizeof(heddle_word)) {
    *(heddle_word *)(to + done) = *(const heddle_word *)(from + done);
    done = done + sizeof(heddle_word);
  }
  while (done < size) {
    to[done] = from[done];
    done = done + 1;
  }
}

static void heddle_copy_backward(char *to, const char *from, size_t size) {
  size_t left = size;
  while (left >= sizeof(heddle_word)) {
    left = left - sizeof(heddle_word);
    *(heddle_word *)(to + left) = *(const heddle_word *)(from + left);
  }
  while (left != 0) {
    left = left - 1;
    to[left] = from[left];
  }
}

static size_t heddle_length(const char *text) {
  size_t length = 0;
  while (text[length] != 0) length = length + 1;
  return length;
}

void *malloc(size_t size) { return __heddle_malloc(size); }

void free(void *block) {
  if (block != 0) __heddle_free(block);
}

void cfree(void *block) {
  if (block != 0) __heddle_free(block);
}

static void *heddle_no_memory(void) {
  heddle_errno = HEDDLE_ENOMEM;
  return 0;
}

void *calloc(size_t count, size_t size) {
  if (size != 0 && count > (size_t)-1 / size) return heddle_no_memory();
  return __heddle_calloc(count * size);
}

// As in glibc, size 0 frees the block and gives null.
static void *heddle_realloc(void *block, size_t size) {
  if (block == 0) return __heddle_malloc(size);
  if (size == 0) {
    __heddle_free(block);
    return 0;
  }
  size_t kept = __heddle_object_size(block);
  if (kept > size) kept = size;
  void *fresh = __heddle_malloc(size);
  heddle_copy_forward(fresh, block, kept);
  __heddle_free(block);
  return fresh;
}

void *realloc(void *block, size_t size) { return heddle_realloc(block, size); }

void *reallocarray(void *block, size_t count, size_t size) {
  if (size != 0 && count > (size_t)-1 / size) return heddle_no_memory();
  return heddle_realloc(block, count * size);
}

void *aligned_alloc(size_t alignment, size_t size) { return __heddle_malloc(size); }

void *memalign(size_t alignment, size_t size) { return __heddle_malloc(size); }

void *valloc(size_t size) { return __heddle_malloc(size); }

int posix_memalign(void **block, size_t alignment, size_t size) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return HEDDLE_EINVAL;
  *block = __heddle_malloc(size);
  return 0;
}

void *memcpy(void *to, const void *from, size_t size) {
  heddle_copy_forward(to, from, size);
  return to;
}

void *mempcpy(void *to, const void *from, size_t size) {
  heddle_copy_forward(to, from, size);
  return (char *)to + size;
}

void *memmove(void *to, const void *from, size_t size) {
  if ((heddle_address)to <= (heddle_address)from) {
    heddle_copy_forward(to, from, size);
  } else {
    heddle_copy_backward(to, from, size);
  }
  return to;
}

static void heddle_fill(char *to, int byte, size_t size) {
  heddle_word pattern = (heddle_word)-1 / 255 * (unsigned char)byte;
  size_t done = 0;
  while (size - done >= sizeof(heddle_word)) {
    *(heddle_word *)(to + done) = pattern;
    done = done + sizeof(heddle_word);
  }
  while (done < size) {
    to[done] = (char)byte;
    done = done + 1;
  }
}

void *memset(void *to, int byte, size_t size) {
  heddle_fill(to, byte, size);
  return to;
}

void bzero(void *to, size_t size) { heddle_fill(to, 0, size); }

int memcmp(const void *left, const void *right, size_t size) {
  const unsigned char *a = left;
  const unsigned char *b = right;
  for (size_t i = 0; i < size; i = i + 1) {
    int difference = a[i] - b[i];
    if (difference != 0) return difference;
  }
  return 0;
}

void *memchr(const void *block, int byte, size_t size) {
  const unsigned char *bytes = block;
  for (size_t i = 0; i < size; i = i + 1) {
    if (bytes[i] == (unsigned char)byte) return (void *)(bytes + i);
  }
  return 0;
}

size_t strlen(const char *text) { return heddle_length(text); }

size_t strnlen(const char *text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length] != 0) length = length + 1;
  return length;
}

// Copies a string with its end; the place of the end in the copy.
static char *heddle_copy_string(char *to, const char *from) {
  size_t i = 0;
  char character = from[0];
  while (character != 0) {
    to[i] = character;
    i = i + 1;
    character = from[i];
  }
  to[i] = 0;
  return to + i;
}

char *strcpy(char *to, const char *from) {
  heddle_copy_string(to, from);
  return to;
}

char *stpcpy(char *to, const char *from) { return heddle_copy_string(to, from); }

char *strncpy(char *to, const char *from, size_t size) {
  size_t i = 0;
  int ended = 0;
  while (i < size) {
    char character = 0;
    if (ended == 0) character = from[i];
    if (character == 0) ended = 1;
    to[i] = character;
    i = i + 1;
  }
  return to;
}

char *strcat(char *to, const char *from) {
  heddle_copy_string(to + heddle_length(to), from);
  return to;
}

char *strncat(char *to, const char *from, size_t size) {
  char *end = to + heddle_length(to);
  size_t i = 0;
  while (i < size) {
    char character = from[i];
    if (character == 0) break;
    end[i] = character;
    i = i + 1;
  }
  end[i] = 0;
  return to;
}

int strcmp(const char *left, const char *right) {
  size_t i = 0;
  for (;;) {
    unsigned char a = (unsigned char)left[i];
    unsigned char b = (unsigned char)right[i];
    if (a != b) return a - b;
    if (a == 0) return 0;
    i = i + 1;
  }
}

int strncmp(const char *left, const char *right, size_t size) {
  for (size_t i = 0; i < size; i = i + 1) {
    unsigned char a = (unsigned char)left[i];
    unsigned char b = (unsigned char)right[i];
    if (a != b) return a - b;
    if (a == 0) return 0;
  }
  return 0;
}

char *strchr(const char *text, int wanted) {
  for (size_t i = 0;; i = i + 1) {
    char character = text[i];
    if (character == (char)wanted) return (char *)(text + i);
    if (character == 0) return 0;
  }
}

char *strrchr(const char *text, int wanted) {
  const char *found = 0;
  for (size_t i = 0;; i = i + 1) {
    char character = text[i];
    if (character == (char)wanted) found = text + i;
    if (character == 0) return (char *)found;
  }
}

static int heddle_starts_with(const char *text, const char *prefix) {
  for (size_t i = 0;; i = i + 1) {
    char character = prefix[i];
    if (character == 0) return 1;
    if (text[i] != character) return 0;
  }
}

char *strstr(const char *text, const char *wanted) {
  for (size_t i = 0;; i = i + 1) {
    if (heddle_starts_with(text + i, wanted)) return (char *)(text + i);
    if (text[i] == 0) return 0;
  }
}

static int heddle_contains(const char *set, char wanted) {
  for (size_t i = 0;; i = i + 1) {
    char character = set[i];
    if (character == 0) return 0;
    if (character == wanted) return 1;
  }
}

size_t strspn(const char *text, const char *set) {
  for (size_t i = 0;; i = i + 1) {
    char character = text[i];
    if (character == 0 || heddle_contains(set, character) == 0) return i;
  }
}

size_t strcspn(const char *text, const char *set) {
  for (size_t i = 0;; i = i + 1) {
    char character = text[i];
    if (character == 0 || heddle_contains(set, character) != 0) return i;
  }
}

char *strdup(const char *text) {
  size_t size = heddle_length(text) + 1;
  char *copy = __heddle_malloc(size);
  heddle_copy_forward(copy, text, size);
  return copy;
}

char *strndup(const char *text, size_t limit) {
  size_t length = 0;
  while (length < limit && text[length] != 0) length = length + 1;
  char *copy = __heddle_malloc(length + 1);
  heddle_copy_forward(copy, text, length);
  copy[length] = 0;
  return copy;
}
