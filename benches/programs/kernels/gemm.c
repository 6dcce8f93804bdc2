// arguments: rows=4..90 cols=3..100 inner=2..80
// Multiplies two matrices, and adds the product to a scaled third.
#include "trips.h"

// in terms of the arguments: m = rows, n = cols, k = inner
__attribute__((noinline)) static void prepare(int m, int n, int k, float *a, float *b, float *c) { CALL;
    unsigned seed = 11;
    for (int i = 0; i < m * k; i++) { TRIP;
        a[i] = next_number(&seed) % 100 * 0.01f;
    }
    for (int i = 0; i < k * n; i++) { TRIP;
        b[i] = next_number(&seed) % 100 * 0.01f;
    }
    for (int i = 0; i < m; i++) { TRIP;
        for (int j = 0; j < n; j++) { TRIP;
            c[i * n + j] = (i * j + 1) % 7;
        }
    }
}

// in terms of the arguments: m = rows, n = cols, k = inner
__attribute__((noinline)) static void multiply(int m, int n, int k, const float *a, const float *b, float *c) { CALL;
    const float alpha = 1.5f, beta = 0.75f;
    for (int i = 0; i < m; i++) { TRIP;
        for (int j = 0; j < n; j++) { TRIP;
            c[i * n + j] *= beta;
        }
        for (int l = 0; l < k; l++) { TRIP;
            float factor = alpha * a[i * k + l];
            for (int j = 0; j < n; j++) { TRIP;
                c[i * n + j] += factor * b[l * n + j];
            }
        }
    }
}

int main(int argc, char **argv) {
    int rows = atoi(argv[1]), cols = atoi(argv[2]), inner = atoi(argv[3]);
    float *a = malloc((rows * inner + 1) * sizeof *a);
    float *b = malloc((inner * cols + 1) * sizeof *b);
    float *c = malloc((rows * cols + 1) * sizeof *c);
    prepare(rows, cols, inner, a, b, c);
    multiply(rows, cols, inner, a, b, c);
    double sum = 0;
    for (int i = 0; i < rows * cols; i++) { TRIP;
        sum += c[i];
    }
    printf("%g\n", sum);
    free(a);
    free(b);
    free(c);
    return 0;
}
