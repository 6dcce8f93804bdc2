// arguments: n=3..120 count=1..5
// Solves several systems of linear equations with one factorization of their common matrix.
#include "trips.h"

__attribute__((noinline)) static void factorize(int n, double **a) { CALL;
    for (int i = 0; i < n; i++) { TRIP;
        for (int j = 0; j < i; j++) { TRIP;
            double left = a[i][j];
            for (int k = 0; k < j; k++) { TRIP;
                left -= a[i][k] * a[k][j];
            }
            a[i][j] = left / a[j][j];
        }
        for (int j = i; j < n; j++) { TRIP;
            double left = a[i][j];
            for (int k = 0; k < i; k++) { TRIP;
                left -= a[i][k] * a[k][j];
            }
            a[i][j] = left;
        }
    }
}

// in terms of the arguments: unknowns = n
__attribute__((noinline)) static void solve(int unknowns, double **a, const double *b, double *x) { CALL;
    for (int i = 0; i < unknowns; i++) { TRIP;
        x[i] = b[i];
        for (int j = 0; j < i; j++) { TRIP;
            x[i] -= a[i][j] * x[j];
        }
    }
    for (int i = unknowns - 1; i >= 0; i--) { TRIP;
        for (int j = i + 1; j < unknowns; j++) { TRIP;
            x[i] -= a[i][j] * x[j];
        }
        x[i] /= a[i][i];
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), count = atoi(argv[2]);
    double **a = malloc((n + 1) * sizeof *a), sum = 0;
    double *b = malloc((n + 1) * sizeof *b), *x = calloc(n + 1, sizeof *x);
    unsigned seed = 23;
    for (int i = 0; i < n; i++) { TRIP;
        a[i] = malloc((n + 1) * sizeof *a[i]);
        for (int j = 0; j < n; j++) { TRIP;
            a[i][j] = i == j ? 2 * n : next_number(&seed) % 100 / 100.0;
        }
    }
    factorize(n, a);
    for (int left = count; left > 0; left--) { TRIP;
        for (int i = 0; i < n; i++) { TRIP;
            b[i] = left + i % 10;
        }
        solve(n, a, b, x);
        sum += x[0];
    }
    printf("%g\n", sum);
}
