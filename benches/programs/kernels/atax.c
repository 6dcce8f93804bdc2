// arguments: n=4..300 m=3..250
// Multiplies a matrix with a vector, and the matrix's transpose with the result.
#include "trips.h"

// in terms of the arguments: tall = n, wide = m
__attribute__((noinline)) static void fill(int tall, int wide, double *a, double *x) { CALL;
    unsigned seed = 31;
    int i = 0;
    while (i < wide) { TRIP;
        x[i] = 1.0 + i / (wide + 1.0);
        i++;
    }
    i = tall * wide;
    while (i > 0) { TRIP;
        i--;
        a[i] = next_number(&seed) % 100 / 500.0;
    }
}

// in terms of the arguments: tall = n, wide = m
__attribute__((noinline)) static void apply(int tall, int wide, const double *a, const double *x, double *y) { CALL;
    int i = 0;
    while (i < tall) { TRIP;
        const double *row = a + i * wide;
        double dot = 0;
        int j = 0;
        while (j < wide) { TRIP;
            dot += row[j] * x[j];
            j++;
        }
        j = 0;
        while (j < wide) { TRIP;
            y[j] += row[j] * dot;
            j++;
        }
        i++;
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int m = atoi(argv[2]);
    double *a = calloc(n * m + 1, sizeof *a), *x = calloc(m + 1, sizeof *x), *y = calloc(m + 1, sizeof *y);
    fill(n, m, a, x);
    apply(n, m, a, x, y);
    double sum = 0;
    int left = m;
    while (left-- > 0) { TRIP;
        sum += y[left];
    }
    printf("%g\n", sum);
    return 0;
}
