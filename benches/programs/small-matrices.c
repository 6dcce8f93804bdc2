#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) void multiply(const double *a, const double *b, double *c, int n) {
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) {
        double s = 0;
        for (int k = 0; k < n; k++) s += a[i * n + k] * b[k * n + j];
        c[i * n + j] = s;
    }
}
int main(int count, char **arguments) {
    int n = count > 1 ? atoi(arguments[1]) : 4;
    double a[256], b[256], c[256], s = 0;
    for (int i = 0; i < 256; i++) a[i] = i % 7, b[i] = i % 5 * 0.1;
    for (int r = 0; r < 5000000; r++) { multiply(a, b, c, n); a[r % 16] = c[r % 15] * 0.01; s += c[3]; }
    printf("%g\n", s); return 0;
}
