#include <stdio.h>
#include <stdlib.h>
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
int main(void) {
    int n = 2000000, *a = malloc(n * sizeof *a); unsigned x = 1; long sum = 0;
    for (int round = 0; round < 4; round++) {
        for (int i = 0; i < n; i++) { x = x * 1664525 + 1013904223; a[i] = x >> 4; }
        qsort(a, n, sizeof *a, compare); sum += a[n / 2];
    }
    printf("%ld\n", sum); return 0;
}
