// With 64-bit longs the same addition fits.
long large = 2147483647;

int main(void) {
  long sum = large + large;
  return sum < 0;
}
