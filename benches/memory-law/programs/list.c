#include <stdlib.h>
#include <stdio.h>
struct node { struct node *next; long v; };
int main(int c, char **v) { long n = atol(v[1]); struct node *p = 0; for (long i = 0; i < n; i++) { struct node *q = malloc(sizeof *q); q->next = p; q->v = i; p = q; } printf("%ld\n", p->v); }
