#include <stdlib.h>
#include <stdio.h>
struct e { unsigned long k, v; };
static struct e *t; static unsigned long cap, used;
static void put(struct e *t, unsigned long cap, unsigned long k, unsigned long v) { unsigned long h = k * 0x9E3779B97F4A7C15ul >> 20; while (t[h & (cap - 1)].k) h++; t[h & (cap - 1)] = (struct e){k, v}; }
int main(int c, char **v) { long n = atol(v[1]); cap = 16; t = calloc(cap, sizeof *t);
  for (long i = 1; i <= n; i++) { if (used * 4 >= cap * 3) { struct e *m = calloc(2 * cap, sizeof *m); for (unsigned long j = 0; j < cap; j++) if (t[j].k) put(m, 2 * cap, t[j].k, t[j].v); free(t); t = m; cap *= 2; } put(t, cap, i, i); used++; }
  printf("%lu\n", t[n / 2].k); }
