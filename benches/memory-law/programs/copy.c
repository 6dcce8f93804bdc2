#include <stdlib.h>
#include <stdio.h>
#include <string.h>
struct e { long a, b; };
int main(int c, char **v) { long n = atol(v[1]), cap = 0; struct e *p = 0;
  for (long i = 0; i < n; i++) { if (i == cap) { long more = cap ? 2 * cap : 16; struct e *q = malloc(more * sizeof *p); if (cap) memcpy(q, p, cap * sizeof *p); free(p); p = q; cap = more; } p[i] = (struct e){i, i}; }
  printf("%ld\n", p[n / 2].a); }
