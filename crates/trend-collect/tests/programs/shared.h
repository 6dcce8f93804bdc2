/* The same code in several objects: one function, whose counts add up. */
static inline int gcd(int a, int b) {
  while (b != 0) {
    int rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

/* Compiled differently in each object: several functions. */
static inline int scaled(int n) {
#ifdef SCALE
  int sum = 0;
  for (int i = 0; i < SCALE; i++)
    sum += n;
  return sum;
#else
  return n;
#endif
}
