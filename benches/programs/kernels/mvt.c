// arguments: n=3..280 rounds=1..6
// Adds A y to x, and then A^T x to y, several times.
#include "trips.h"

// in terms of the arguments: order = n
__attribute__((noinline)) static double **new_square(int order) { CALL;
    unsigned seed = 77;
    double **rows = malloc((order + 1) * sizeof *rows);
    for (int i = 0; i < order; i++) { TRIP;
        rows[i] = malloc((order + 1) * sizeof *rows[i]);
        for (int j = 0; j < order; j++) { TRIP;
            rows[i][j] = next_number(&seed) % 10 / (10.0 * order);
        }
    }
    return rows;
}

// in terms of the arguments: order = n
__attribute__((noinline)) static void multiply(int order, double **a, double *x, const double *y) { CALL;
    int i = 0;
    if (order <= 0) return;
    do { TRIP;
        int j = 0;
        do { TRIP;
            x[i] += a[i][j] * y[j];
        } while (++j < order);
    } while (++i < order);
}

// in terms of the arguments: order = n
__attribute__((noinline)) static void multiply_transposed(int order, double **a, double *x, const double *y) { CALL;
    for (int i = 0; i < order; i++) { TRIP;
        for (int j = 0; j < order; j++) { TRIP;
            x[i] += a[j][i] * y[j];
        }
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int rounds = atoi(argv[2]);
    double **a = new_square(n);
    double *x = calloc(n + 1, sizeof *x), *y = calloc(n + 1, sizeof *y);
    for (int i = 0; i < n; i++) { TRIP;
        x[i] = i % 3;
        y[i] = i % 4;
    }
    for (int round = 0; round < rounds; round++) { TRIP;
        multiply(n, a, x, y);
        multiply_transposed(n, a, y, x);
    }
    double sum = 0;
    for (int i = 0; i < n; i++) { TRIP;
        sum += x[i] - y[i];
    }
    printf("%g\n", sum);
    return 0;
}
