/* Multiplies (`multiply`) or factorises and solves (`solve`) a full n by n matrix with Meschach. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix.h"
#include "matrix2.h"

int main(int argc, char **argv) {
    int n = argc == 3 ? atoi(argv[2]) : 0;
    unsigned x = 12345;
    if (n < 1) return 2;
    MAT *a = m_get(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a->me[i][j] = (x = x * 1664525u + 1013904223u) / 4294967296.0 + (i == j);
    if (strcmp(argv[1], "multiply") == 0) {
        MAT *product = m_mlt(a, a, MNULL);
        printf("%g\n", product->me[n - 1][n - 1]);
    } else {
        PERM *pivot = px_get(n);
        VEC *b = v_get(n);
        for (int i = 0; i < n; i++) b->ve[i] = i + 1;
        LUfactor(a, pivot);
        printf("%g\n", LUsolve(a, pivot, b, VNULL)->ve[0]);
    }
    return 0;
}
