#include <stdlib.h>
#include <stdio.h>
struct node { long a, b; };
int main(int c, char **v) { long n = atol(v[1]), cap = 0; struct node **p = 0;
  for (long i = 0; i < n; i++) { if (i == cap) { cap = cap ? 2 * cap : 16; struct node **q = malloc(cap * sizeof *q); for (long j = 0; j < i; j++) q[j] = p[j]; free(p); p = q; } p[i] = malloc(sizeof **p); p[i]->a = i; }
  printf("%ld\n", p[n / 2]->a); }
