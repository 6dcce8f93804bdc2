#define SCALE 7
#include "shared.h"

int other(int n) {
  int sum = 0;
  for (int i = 1; i <= n; i++)
    sum += gcd(n, i) + scaled(i);
  return sum;
}
