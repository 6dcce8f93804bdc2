// arguments: n=2..250 m=2..250
// Multiplies two matrices with the same vector, and adds the two results.
#include "trips.h"

__attribute__((noinline)) static void fill(size_t n, size_t m, double *a, double *b) { CALL;
    unsigned seed = 21;
    for (size_t i = 0; i < n; ++i) { TRIP;
        for (size_t j = 0; j < m; ++j) { TRIP;
            a[i * m + j] = next_number(&seed) % 50 / 50.0;
            b[i * m + j] = next_number(&seed) % 30 / 30.0;
        }
    }
}

// in terms of the arguments: tall = n, wide = m
__attribute__((noinline)) static void weigh(size_t tall, size_t wide, double *a, double *b, double *x, double *y) { CALL;
    for (size_t i = 0; i != tall; ++i) { TRIP;
        double left = 0, right = 0;
        for (size_t j = 0; j != wide; ++j) { TRIP;
            left += a[i * wide + j] * x[j];
            right += b[i * wide + j] * x[j];
        }
        y[i] = 1.5 * left + 1.2 * right;
    }
}

int main(int argc, char **argv) {
    size_t n = atoi(argv[1]);
    size_t m = atoi(argv[2]);
    double *a = malloc((n * m + 1) * sizeof(double)), *b = malloc((n * m + 1) * sizeof(double));
    double *x = malloc((m + 1) * sizeof(double)), *y = malloc((n + 1) * sizeof(double));
    for (size_t j = 0; j < m; ++j) { TRIP;
        x[j] = (double)(j % 9) / 9;
    }
    fill(n, m, a, b);
    weigh(n, m, a, b, x, y);
    double sum = 0;
    for (size_t i = n; i-- > 0;) { TRIP;
        sum = sum * 0.5 + y[i];
    }
    printf("%g\n", sum);
    return 0;
}
