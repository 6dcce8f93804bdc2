// arguments: n=4..80 m=3..60
// Multiplies two pairs of matrices, and then the two products.
#include "trips.h"

struct matrix {
    int rows, cols;
    double *at;
};

// in terms of the arguments: differs
__attribute__((noinline)) static void create(struct matrix *x, int rows, int cols, unsigned seed) { CALL;
    x->rows = rows;
    x->cols = cols;
    x->at = malloc((rows * cols + 1) * sizeof *x->at);
    for (int i = 0; i < rows * cols; i++) { TRIP;
        x->at[i] = next_number(&seed) % 256 / 256.0;
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void multiply(const struct matrix *x, const struct matrix *y, struct matrix *z) { CALL;
    for (int i = 0; i < z->rows; i++) { TRIP;
        for (int j = 0; j < z->cols; j++) { TRIP;
            double sum = 0;
            for (int k = 0; k < y->rows; k++) { TRIP;
                sum += x->at[i * x->cols + k] * y->at[k * y->cols + j];
            }
            z->at[i * z->cols + j] = sum;
        }
    }
}

// in terms of the arguments: z->rows = n, z->cols = n
__attribute__((noinline)) static double trace(const struct matrix *z) { CALL;
    double sum = 0;
    for (int i = 0; i < z->rows; i++) { TRIP;
        sum += z->at[i * z->cols + i];
    }
    return sum;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    int half = n / 2;
    struct matrix a, b, c, d, e, f, g;
    create(&a, n, m, 1);
    create(&b, m, half, 2);
    create(&c, half, m + 1, 3);
    create(&d, m + 1, n, 4);
    create(&e, n, half, 5);
    create(&f, half, n, 6);
    create(&g, n, n, 7);
    multiply(&a, &b, &e);
    multiply(&c, &d, &f);
    multiply(&e, &f, &g);
    printf("%g\n", trace(&g));
    return 0;
}
