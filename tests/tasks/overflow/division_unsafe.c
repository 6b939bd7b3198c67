// Dividing the smallest int by -1 is the one quotient that does not fit.
int dividend = -2147483647 - 1;
int divisor = -1;

int main(void) { return dividend / divisor == 0; }
