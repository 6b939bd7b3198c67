// With 32-bit longs an addition of longs overflows where long long does not.
long large = 2147483647;

int main(void) {
  long long sum = large + large;
  return sum < 0;
}
