// arguments: size=3..110 rank=2..50
// Adds the product of a matrix with its own transpose to the lower half of a symmetric matrix.
#include "trips.h"

// in terms of the arguments: length = rank
__attribute__((noinline)) static double dot(int length, const double *x, const double *y) { CALL;
    double sum = 0;
    for (int k = length - 1; k >= 0; k--) { TRIP;
        sum += x[k] * y[k];
    }
    return sum;
}

// in terms of the arguments: n = size, m = rank
__attribute__((noinline)) static void update(int n, int m, const double *a, double *c) { CALL;
    for (int i = n - 1; i >= 0; i--) { TRIP;
        for (int j = i; j >= 0; j--) { TRIP;
            c[i * n + j] = 1.2 * c[i * n + j] + 1.5 * dot(m, a + i * m, a + j * m);
        }
    }
}

int main(int argc, char **argv) {
    int size = atoi(argv[1]), rank = atoi(argv[2]);
    double *a = malloc((size * rank + 1) * sizeof *a);
    double *c = malloc((size * size + 1) * sizeof *c);
    unsigned seed = 40;
    for (int i = size * rank - 1; i >= 0; i--) { TRIP;
        a[i] = next_number(&seed) % 16 / 16.0;
    }
    for (int i = size * size - 1; i >= 0; i--) { TRIP;
        c[i] = i % 5;
    }
    update(size, rank, a, c);
    double sum = 0;
    for (int i = 0; i < size; i++) { TRIP;
        for (int j = 0; j <= i; j++) { TRIP;
            sum += c[i * size + j];
        }
    }
    printf("%g\n", sum);
    return 0;
}
