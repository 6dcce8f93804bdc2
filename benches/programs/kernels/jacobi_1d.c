// arguments: steps=1..100 n=4..1500
// Replaces every inner element of a line by the mean of itself and its neighbours, again and again.
#include "trips.h"

// in terms of the arguments: length = n
__attribute__((noinline)) static void smooth(unsigned length, const float *from, float *to) { CALL;
    for (unsigned i = 1; i + 1 < length; i++) { TRIP;
        to[i] = (from[i - 1] + from[i] + from[i + 1]) / 3;
    }
}

// in terms of the arguments: times = steps, length = n
__attribute__((noinline)) static void relax(unsigned times, unsigned length, float *a, float *b) { CALL;
    while (times-- > 0) { TRIP;
        smooth(length, a, b);
        smooth(length, b, a);
    }
}

int main(int argc, char **argv) {
    unsigned steps = atoi(argv[1]);
    unsigned n = atoi(argv[2]);
    float *a = calloc(n + 1, sizeof *a);
    float *b = calloc(n + 1, sizeof *b);
    unsigned seed = 70;
    for (unsigned i = 0; i < n; i++) { TRIP;
        a[i] = b[i] = next_number(&seed) % 1000 / 10.0f;
    }
    relax(steps, n, a, b);
    double sum = 0;
    for (unsigned i = n; i > 0; i--) { TRIP;
        sum += a[i - 1] / i;
    }
    printf("%g\n", sum);
    free(a);
    free(b);
    return 0;
}
