// arguments: n=5..300
// Adds two outer products to a square matrix, and multiplies the result and its transpose with vectors.
#include "trips.h"

__attribute__((noinline)) static void add_outer_products(int n, double (*a)[n + 1], double (*u)[n + 1]) { CALL;
    for (int i = 0; i < n; i++) { TRIP;
        for (int j = 0; j < n; j++) { TRIP;
            a[i][j] += u[0][i] * u[1][j] + u[2][i] * u[3][j];
        }
    }
}

// in terms of the arguments: size = n
__attribute__((noinline)) static void step_x(int size, double (*a)[size + 1], double *x, double *y, double *z) { CALL;
    for (int i = 0; i < size; i++) { TRIP;
        for (int j = 0; j < size; j++) { TRIP;
            x[i] += 1.2 * a[j][i] * y[j];
        }
    }
    for (int i = 0; i < size; i++) { TRIP;
        x[i] += z[i];
    }
}

// in terms of the arguments: size = n
__attribute__((noinline)) static double step_w(int size, double (*a)[size + 1], const double *x) { CALL;
    double total = 0;
    for (int i = 0; i < size; i++) { TRIP;
        double w = 0;
        for (int j = 0; j < size; j++) { TRIP;
            w += 1.5 * a[i][j] * x[j];
        }
        total += w;
    }
    return total;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double (*a)[n + 1] = calloc(n + 1, sizeof *a);
    double (*u)[n + 1] = calloc(4, sizeof *u);
    double (*v)[n + 1] = calloc(3, sizeof *v);
    unsigned seed = 5;
    for (int i = 0; i < n; i++) { TRIP;
        for (int k = 0; k < 4; k++) { TRIP;
            u[k][i] = next_number(&seed) % 10 * 0.1;
        }
        v[1][i] = i / (n + 1.0);
        v[2][i] = (i + 1) / (n + 2.0);
    }
    add_outer_products(n, a, u);
    step_x(n, a, v[0], v[1], v[2]);
    printf("%g\n", step_w(n, a, v[0]));
    return 0;
}
