// arguments: n=4..150
// Computes the Cholesky factor of a positive definite matrix, in the matrix's lower half.
#include "trips.h"

// in terms of the arguments: order = n
__attribute__((noinline)) static void fill(int order, double *a) { CALL;
    unsigned seed = 12;
    for (int i = 0; i < order; i++) { TRIP;
        for (int j = 0; j < i; j++) { TRIP;
            a[i * order + j] = next_number(&seed) % 100 / 100.0;
        }
        a[i * order + i] = order + 1.0;
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static double dot(int length, const double *x, const double *y) { CALL;
    double sum = 0;
    for (int k = 0; k < length; k++) { TRIP;
        sum += x[k] * y[k];
    }
    return sum;
}

// in terms of the arguments: order = n
__attribute__((noinline)) static void factorize(int order, double *a) { CALL;
    for (int i = 0; i < order; i++) { TRIP;
        double *row = a + i * order;
        for (int j = 0; j < i; j++) { TRIP;
            const double *above = a + j * order;
            row[j] = (row[j] - dot(j, row, above)) / above[j];
        }
        row[i] = sqrt(row[i] - dot(i, row, row));
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *a = calloc(n * n + 1, sizeof *a);
    fill(n, a);
    factorize(n, a);
    double sum = 0;
    for (int i = 0; i < n; i++) { TRIP;
        for (int j = 0; j <= i; j++) { TRIP;
            sum += a[i * n + j];
        }
    }
    printf("%g\n", sum);
    free(a);
    return 0;
}
