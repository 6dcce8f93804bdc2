/* Computes the Fourier transform of n numbers with KISS FFT: n log n if n is a power of 2, n^2 if it is prime. */
#include <stdio.h>
#include <stdlib.h>

#include "kiss_fft.h"

int main(int argc, char **argv) {
    int n = argc == 2 ? atoi(argv[1]) : 0;
    kiss_fft_cfg plan = n > 0 ? kiss_fft_alloc(n, 0, NULL, NULL) : NULL;
    kiss_fft_cpx *in = calloc(n + 1, sizeof *in), *out = calloc(n + 1, sizeof *out);
    if (!plan || !in || !out) return 2;
    for (int i = 0; i < n; i++) in[i].r = i % 7;
    kiss_fft(plan, in, out);
    printf("%g\n", out[0].r);
    return 0;
}
