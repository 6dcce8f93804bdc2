// arguments: n=2..400 sides=1..8
// Solves a lower and then an upper triangular system of equations for several right-hand sides.
#include "trips.h"

// in terms of the arguments: size = n
__attribute__((noinline)) static void forward(size_t size, const double *lower, double *x) { CALL;
    for (size_t i = 0; i < size; i++) { TRIP;
        const double *at = lower + i * size;
        for (const double *y = x; y < x + i; y++) { TRIP;
            x[i] -= *at++ * *y;
        }
        x[i] /= *at;
    }
}

// in terms of the arguments: size = n
__attribute__((noinline)) static void backward(size_t size, const double *lower, double *x) { CALL;
    for (size_t i = size; i-- > 0;) { TRIP;
        for (size_t j = size - 1; j > i; j--) { TRIP;
            x[i] -= lower[j * size + i] * x[j];
        }
        x[i] /= lower[i * size + i];
    }
}

int main(int argc, char **argv) {
    size_t n = atoi(argv[1]);
    size_t sides = atoi(argv[2]);
    double *lower = calloc(n * n + 1, sizeof *lower), *x = calloc(n + 1, sizeof *x), sum = 0;
    unsigned seed = 50;
    for (size_t i = 0; i < n; i++) { TRIP;
        for (size_t j = 0; j < i; j++) { TRIP;
            lower[i * n + j] = next_number(&seed) % 100 / 100.0 / n;
        }
        lower[i * n + i] = 2;
    }
    for (size_t side = 0; side < sides; side++) { TRIP;
        for (size_t i = 0; i < n; i++) { TRIP;
            x[i] = (double)(i * (side + 1) % 7);
        }
        forward(n, lower, x);
        backward(n, lower, x);
        for (size_t i = 0; i < n; i++) { TRIP;
            sum += x[i];
        }
    }
    printf("%g\n", sum);
    return 0;
}
