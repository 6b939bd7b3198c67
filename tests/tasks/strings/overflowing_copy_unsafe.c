// The zero byte at the end of a string needs a place as well.
#include <stdlib.h>
#include <string.h>

const char *name = "abc";

int main(void) {
  char *copy = malloc(strlen(name));
  strcpy(copy, name);
  free(copy);
  return 0;
}
