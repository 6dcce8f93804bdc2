// arguments: n=4..80 systems=1..6
// Solves systems of linear equations by Gaussian elimination with row exchanges and prints the sum of the solutions.
#include "trips.h"

static int size;
static double *a, *b, *multiplier;

// in terms of the arguments: size = n
__attribute__((noinline)) static void create_matrix(double lambda) { CALL;
    for (int i = 0; i < size; i++) { TRIP;
        for (int j = 0; j < size; j++) { TRIP;
            a[size * i + j] = 10.0 * exp(lambda * abs(size - 1 - i - j));
        }
        b[i] = 1.0;
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void exchange(int t) { CALL;
    int best = t;
    for (int i = t + 1; i < size; i++) { TRIP;
        if (fabs(a[size * i + t]) > fabs(a[size * best + t])) best = i;
    }
    if (best == t) return;
    for (int j = t; j < size; j++) { TRIP;
        double kept = a[size * t + j];
        a[size * t + j] = a[size * best + j];
        a[size * best + j] = kept;
    }
    double kept = b[t];
    b[t] = b[best];
    b[best] = kept;
}

// in terms of the arguments: differs
__attribute__((noinline)) static void fan1(int t) { CALL;
    for (int i = 0; i < size - 1 - t; i++) { TRIP;
        multiplier[i + t + 1] = a[size * (i + t + 1) + t] / a[size * t + t];
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void fan2(int t) { CALL;
    for (int i = 0; i < size - 1 - t; i++) { TRIP;
        for (int j = 0; j < size - t; j++) { TRIP;
            a[size * (i + 1 + t) + j + t] -= multiplier[i + 1 + t] * a[size * t + j + t];
        }
        b[i + 1 + t] -= multiplier[i + 1 + t] * b[t];
    }
}

// in terms of the arguments: size = n
__attribute__((noinline)) static void forward(void) { CALL;
    for (int t = 0; t < size - 1; t++) { TRIP;
        exchange(t);
        fan1(t);
        fan2(t);
    }
}

// in terms of the arguments: size = n
__attribute__((noinline)) static void back(double *x) { CALL;
    for (int i = 0; i < size; i++) { TRIP;
        int row = size - i - 1;
        x[row] = b[row];
        for (int j = 0; j < i; j++) { TRIP;
            x[row] -= a[size * row + size - j - 1] * x[size - j - 1];
        }
        x[row] /= a[size * row + row];
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), systems = atoi(argv[2]);
    unsigned seed = 23;
    size = n;
    a = calloc(n * n + 1, sizeof(double));
    b = calloc(n + 1, sizeof(double));
    multiplier = calloc(n + 1, sizeof(double));
    double *x = calloc(n + 1, sizeof(double)), sum = 0.0;
    for (int s = 0; s < systems; s++) { TRIP;
        create_matrix(-0.01 - next_number(&seed) % 100 / 1000.0);
        forward();
        back(x);
        for (int i = 0; i < n; i++) { TRIP;
            sum += x[i];
        }
    }
    printf("%g\n", sum);
    return 0;
}
