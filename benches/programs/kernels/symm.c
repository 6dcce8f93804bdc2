// arguments: n=4..90 m=3..70
// Multiplies a symmetric matrix with another matrix. Reads only the lower half of the symmetric one.
#include "trips.h"

// in terms of the arguments: differs
__attribute__((noinline)) static double **new_rows(int count, int width, unsigned seed) { CALL;
    double **rows = malloc((count + 1) * sizeof *rows);
    for (int i = 0; i < count; i++) { TRIP;
        rows[i] = malloc((width + 1) * sizeof **rows);
        for (int j = 0; j < width; j++) { TRIP;
            rows[i][j] = next_number(&seed) % 128 / 128.0;
        }
    }
    return rows;
}

// in terms of the arguments: order = n, columns = m
__attribute__((noinline)) static void multiply(int order, int columns, double **a, double **b, double **c) { CALL;
    for (int i = 0; i < order; i++) { TRIP;
        for (int j = 0; j < columns; j++) { TRIP;
            double below = 0;
            for (int k = 0; k < i; k++) { TRIP;
                c[k][j] += 1.5 * b[i][j] * a[i][k];
                below += b[k][j] * a[i][k];
            }
            c[i][j] = 1.2 * c[i][j] + 1.5 * (b[i][j] * a[i][i] + below);
        }
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    double **a = new_rows(n, n, 1), **b = new_rows(n, m, 2), **c = new_rows(n, m, 3);
    multiply(n, m, a, b, c);
    double sum = 0;
    for (int i = 0; i < n; i++) { TRIP;
        double *row = c[i];
        for (int j = 0; j < m; j++) { TRIP;
            sum += row[j] * (i + j + 1);
        }
    }
    printf("%g\n", sum);
    return 0;
}
