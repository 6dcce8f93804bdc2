#include <stdlib.h>
#include <stdio.h>
struct e { long a, b; };
int main(int c, char **v) { long n = atol(v[1]), cap = 0; struct e *p = 0;
  for (long i = 0; i < n; i++) { if (i == cap) { cap = cap ? 2 * cap : 16; p = realloc(p, cap * sizeof *p); } p[i] = (struct e){i, i}; }
  printf("%ld\n", p[n / 2].a); }
