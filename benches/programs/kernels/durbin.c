// arguments: order=2..700
// Solves the Yule-Walker equations with the algorithm of Levinson and Durbin.
#include "trips.h"

static int n;
static double *r, *y, *z;

// in terms of the arguments: n = order
__attribute__((noinline)) static void init(void) { CALL;
    unsigned seed = 6;
    for (int i = 0; i < n; i++) { TRIP;
        r[i] = (0.2 + next_number(&seed) % 16 / 200.0) / (n + 1);
    }
}

// in terms of the arguments: n = order
__attribute__((noinline)) static void solve(void) { CALL;
    double alpha = -r[0], beta = 1;
    y[0] = -r[0];
    for (int k = 1; k < n; k++) { TRIP;
        double sum = r[k];
        beta *= 1 - alpha * alpha;
        for (int i = 0; i < k; i++) { TRIP;
            sum += r[k - i - 1] * y[i];
        }
        alpha = -sum / beta;
        for (int i = 0; i < k; i++) { TRIP;
            z[i] = y[i] + alpha * y[k - i - 1];
        }
        for (int i = 0; i < k; i++) { TRIP;
            y[i] = z[i];
        }
        y[k] = alpha;
    }
}

int main(int argc, char **argv) {
    int order = atoi(argv[1]);
    n = order;
    r = calloc(n + 1, sizeof(double));
    y = calloc(n + 1, sizeof(double));
    z = calloc(n + 1, sizeof(double));
    init();
    solve();
    double sum = 0;
    for (int i = 0; i < order; i++) { TRIP;
        sum += y[i];
    }
    printf("%g\n", sum);
    return 0;
}
