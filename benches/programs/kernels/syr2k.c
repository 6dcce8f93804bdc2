// arguments: n=4..100 m=2..60
// Adds A B^T + B A^T to the lower half of a symmetric matrix.
#include "trips.h"

// in terms of the arguments: rows = n, cols = m + 2
__attribute__((noinline)) static void fill(int rows, int cols, double (*a)[cols], double (*b)[cols]) { CALL;
    unsigned seed = 17;
    for (int i = 0; i < rows; i++) { TRIP;
        for (int j = 0; j < cols; j++) { TRIP;
            a[i][j] = next_number(&seed) % 20 * 0.05;
            b[i][j] = next_number(&seed) % 40 * 0.025;
        }
    }
}

// in terms of the arguments: rows = n, cols = m + 2
__attribute__((noinline)) static void update(int rows, int cols, double (*a)[cols], double (*b)[cols], double *c) { CALL;
    for (int i = 0; i < rows; i++) { TRIP;
        for (int j = 0; j <= i; j++) { TRIP;
            c[i * rows + j] *= 1.2;
        }
        for (int k = 0; k < cols; k++) { TRIP;
            for (int j = 0; j <= i; j++) { TRIP;
                c[i * rows + j] += a[j][k] * 1.5 * b[i][k] + b[j][k] * 1.5 * a[i][k];
            }
        }
    }
}

// in terms of the arguments: order = n
__attribute__((noinline)) static double sum_lower(int order, const double *c) { CALL;
    double sum = 0;
    for (int i = 0; i < order; i++) { TRIP;
        for (int j = 0; j <= i; j++) { TRIP;
            sum += c[i * order + j];
        }
    }
    return sum;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int cols = m + 2;
    double (*a)[cols] = malloc((n + 1) * sizeof *a);
    double (*b)[cols] = malloc((n + 1) * sizeof *b);
    double *c = malloc((n * n + 1) * sizeof *c);
    for (int i = 0; i < n * n; i++) { TRIP;
        c[i] = i % 3;
    }
    fill(n, cols, a, b);
    update(n, cols, a, b, c);
    printf("%g\n", sum_lower(n, c));
    return 0;
}
