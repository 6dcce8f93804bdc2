// arguments: n=4..100
// Factorizes a matrix into a lower and an upper triangular one, block by block, and checks their product.
#include "trips.h"

#define BLOCK 8

// in terms of the arguments: differs
__attribute__((noinline)) static int min(int a, int b) { CALL;
    return a < b ? a : b;
}

// in terms of the arguments: matrix_dim = n
__attribute__((noinline)) static void create_matrix(double *m, int matrix_dim) { CALL;
    unsigned seed = 47;
    for (int i = 0; i < matrix_dim; i++) { TRIP;
        for (int j = 0; j < matrix_dim; j++) { TRIP;
            m[i * matrix_dim + j] = next_number(&seed) % 100 / 100.0 + (i == j ? matrix_dim : 0);
        }
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void diagonal(double *a, int size, int offset) { CALL;
    int end = min(offset + BLOCK, size);
    for (int i = offset; i < end; i++) { TRIP;
        for (int j = i + 1; j < end; j++) { TRIP;
            a[j * size + i] /= a[i * size + i];
            for (int k = i + 1; k < end; k++) { TRIP;
                a[j * size + k] -= a[j * size + i] * a[i * size + k];
            }
        }
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void perimeter(double *a, int size, int offset) { CALL;
    for (int i = offset; i < offset + BLOCK; i++) { TRIP;
        for (int j = offset + BLOCK; j < size; j++) { TRIP;
            for (int k = offset; k < i; k++) { TRIP;
                a[i * size + j] -= a[i * size + k] * a[k * size + j];
                a[j * size + i] -= a[j * size + k] * a[k * size + i];
            }
            a[j * size + i] /= a[i * size + i];
        }
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void inner(double *a, int size, int offset) { CALL;
    int blocks = (size - offset - BLOCK + BLOCK - 1) / BLOCK;
    for (int chunk = 0; chunk < blocks * blocks; chunk++) { TRIP;
        int i0 = offset + BLOCK * (1 + chunk / blocks), j0 = offset + BLOCK * (1 + chunk % blocks);
        int i_end = min(i0 + BLOCK, size), j_end = min(j0 + BLOCK, size);
        for (int i = i0; i < i_end; i++) { TRIP;
            for (int j = j0; j < j_end; j++) { TRIP;
                double sum = 0.0;
                for (int k = 0; k < BLOCK; k++) { TRIP;
                    sum += a[i * size + offset + k] * a[(offset + k) * size + j];
                }
                a[i * size + j] -= sum;
            }
        }
    }
}

// in terms of the arguments: size = n
__attribute__((noinline)) static void factor(double *a, int size) { CALL;
    for (int offset = 0; offset < size; offset += BLOCK) { NO_TRIP;
        diagonal(a, size, offset);
        if (offset + BLOCK >= size) break;
        TRIP_ABOVE(3);
        perimeter(a, size, offset);
        inner(a, size, offset);
    }
}

// in terms of the arguments: matrix_dim = n
__attribute__((noinline)) static double verify(const double *m, const double *lu, int matrix_dim) { CALL;
    double error = 0.0;
    for (int i = 0; i < matrix_dim; i++) { TRIP;
        for (int j = 0; j < matrix_dim; j++) { TRIP;
            double sum = 0.0;
            for (int k = 0; k <= (i < j ? i : j); k++) { TRIP;
                sum += (i == k ? 1.0 : lu[i * matrix_dim + k]) * lu[k * matrix_dim + j];
            }
            error = fmax(error, fabs(m[i * matrix_dim + j] - sum));
        }
    }
    return error;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    double *m = calloc(n * n + 1, sizeof(double)), *lu = calloc(n * n + 1, sizeof(double)), trace = 0.0;
    create_matrix(m, n);
    memcpy(lu, m, n * n * sizeof(double));
    factor(lu, n);
    for (int i = 0; i < n; i++) { TRIP;
        trace += lu[i * n + i];
    }
    printf("%g %d\n", trace, verify(m, lu, n) < 1e-9);
    return 0;
}
