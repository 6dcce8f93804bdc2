#include <stdio.h>
#include <stdlib.h>
static void sort(int *a, int n) {
    while (n > 16) {
        int pivot = a[n / 2], i = -1, j = n;
        for (;;) {
            do i++; while (a[i] < pivot);
            do j--; while (a[j] > pivot);
            if (i >= j) break;
            int t = a[i]; a[i] = a[j]; a[j] = t;
        }
        sort(a, j + 1);
        a += j + 1; n -= j + 1;
    }
    for (int i = 1; i < n; i++) { int x = a[i], j = i; for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1]; a[j] = x; }
}
int main(void) {
    int n = 2000000, *a = malloc(n * sizeof *a); unsigned x = 1; long sum = 0;
    for (int round = 0; round < 8; round++) {
        for (int i = 0; i < n; i++) { x = x * 1664525 + 1013904223; a[i] = x >> 4; }
        sort(a, n); sum += a[n / 2];
    }
    printf("%ld\n", sum); return 0;
}
