// Narrow types are computed as int and cut on the store: that is no overflow.
signed char byte = 127;
short number = 32767;

int main(void) {
  byte++;
  number = (short)(number + number);
  return byte == -128 ? 0 : number;
}
