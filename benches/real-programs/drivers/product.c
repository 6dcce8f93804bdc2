/* Multiplies two numbers of n digits of 60 bits with LibTomMath. */
#include <stdio.h>
#include <stdlib.h>

#include "tommath.h"

int main(int argc, char **argv) {
    int n = argc == 2 ? atoi(argv[1]) : 0;
    unsigned x = 12345;
    mp_int a, b, c;
    if (n < 1 || mp_init_multi(&a, &b, &c, NULL) != MP_OKAY || mp_grow(&a, n) != MP_OKAY || mp_grow(&b, n) != MP_OKAY) return 2;
    for (int i = 0; i < n; i++) {
        a.dp[i] = (mp_digit)(x = x * 1664525u + 1013904223u) | 1;
        b.dp[i] = (mp_digit)(x = x * 1664525u + 1013904223u) | 1;
    }
    a.used = b.used = n;
    if (mp_mul(&a, &b, &c) != MP_OKAY) return 1;
    printf("%d digits\n", c.used);
    return 0;
}
