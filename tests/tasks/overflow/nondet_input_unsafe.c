// Adding one to an unrestricted input can overflow.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int input = __VERIFIER_nondet_int();
  int large = 2147483647;
  if (input == 1) large = large + input;
  return large == 0;
}
