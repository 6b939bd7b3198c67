// Adding one to the largest int overflows; in the safe twin it stays one below.
int largest = 2147483646;

int main(void) {
  int next = largest + 1;
  return next == 0;
}
