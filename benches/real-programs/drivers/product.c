/* Multiplies two numbers of n digits of 60 bits with LibTomMath: `schoolbook` in n^2 steps, `karatsuba` in n^1.58, `toom`
 * as the library would, in n^1.46. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tommath.h"

int main(int argc, char **argv) {
    int n = argc == 3 ? atoi(argv[2]) : 0;
    unsigned x = 12345;
    mp_int a, b, c;
    if (n < 1 || mp_init_multi(&a, &b, &c, NULL) != MP_OKAY || mp_grow(&a, n) != MP_OKAY || mp_grow(&b, n) != MP_OKAY) return 2;
    if (strcmp(argv[1], "toom") != 0) TOOM_MUL_CUTOFF = INT_MAX;
    if (strcmp(argv[1], "schoolbook") == 0) KARATSUBA_MUL_CUTOFF = INT_MAX;
    for (int i = 0; i < n; i++) {
        a.dp[i] = (mp_digit)(x = x * 1664525u + 1013904223u) | 1;
        b.dp[i] = (mp_digit)(x = x * 1664525u + 1013904223u) | 1;
    }
    a.used = b.used = n;
    if (mp_mul(&a, &b, &c) != MP_OKAY) return 1;
    printf("%d digits\n", c.used);
    return 0;
}
