// arguments: n=3..100 m=4..80
// Multiplies the transpose of a unit lower triangular matrix with another matrix, in place.
#include "trips.h"

static int rows, cols;
static double *triangle, *b;

// in terms of the arguments: rows = n, cols = m
__attribute__((noinline)) static void fill(void) { CALL;
    unsigned seed = 99;
    for (int i = 0; i < rows; i++) { TRIP;
        for (int j = 0; j < i; j++) { TRIP;
            triangle[i * rows + j] = next_number(&seed) % 100 / 1000.0;
        }
        triangle[i * rows + i] = 1.0;
        for (int j = 0; j < cols; j++) { TRIP;
            b[i * cols + j] = (rows + i - j) / (double)(cols + 1);
        }
    }
}

// in terms of the arguments: rows = n, cols = m
__attribute__((noinline)) static void multiply(void) { CALL;
    for (int i = 0; i < rows; i++) { TRIP;
        for (int j = 0; j < cols; j++) { TRIP;
            for (int k = i + 1; k < rows; k++) { TRIP;
                b[i * cols + j] += triangle[k * rows + i] * b[k * cols + j];
            }
            b[i * cols + j] *= 1.5;
        }
    }
}

// in terms of the arguments: rows = n, cols = m
__attribute__((noinline)) static double checksum(void) { CALL;
    double sum = 0;
    const double *at = b, *end = b + rows * cols;
    while (at < end) { TRIP;
        sum += *at++;
    }
    return sum;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    rows = n;
    cols = m;
    triangle = calloc(n * n + 1, sizeof *triangle);
    b = calloc(n * m + 1, sizeof *b);
    fill();
    multiply();
    printf("%g\n", checksum());
    return 0;
}
