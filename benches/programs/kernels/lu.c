// arguments: n=4..140
// Factorizes a square matrix into a lower and an upper triangular matrix, in place and without pivoting.
#include "trips.h"

// in terms of the arguments: size = n + 1
__attribute__((noinline)) static void fill(int size, double (*a)[size]) { CALL;
    unsigned seed = 19;
    for (int i = 0; i < size; i++) { TRIP;
        for (int j = 0; j < size; j++) { TRIP;
            a[i][j] = next_number(&seed) % 100 / 100.0;
        }
        a[i][i] += size;
    }
}

// in terms of the arguments: size = n + 1
__attribute__((noinline)) static void factorize(int size, double (*a)[size]) { CALL;
    for (int k = 0; k < size - 1; k++) { TRIP;
        for (int i = k + 1; i < size; i++) { TRIP;
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < size; j++) { TRIP;
                a[i][j] -= a[i][k] * a[k][j];
            }
        }
    }
}

// in terms of the arguments: size = n + 1
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int size = n + 1;
    double (*a)[size] = malloc(size * sizeof *a);
    fill(size, a);
    factorize(size, a);
    double logarithm = 0;
    for (int i = 0; i < size; i++) { TRIP;
        logarithm += log(a[i][i]);
    }
    printf("%g\n", logarithm);
    free(a);
    return 0;
}
