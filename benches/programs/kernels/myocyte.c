// arguments: instances=1..4 xmax=4..60
// Simulates heart cells, each a system of 91 equations, with a solver that shortens its step where the error is large.
#include "trips.h"

#define EQUATIONS 91
#define STAGES 4
#define ATTEMPTS 6

static const double above[STAGES][STAGES] = {{0}, {0.5}, {0.0, 0.75}, {2.0 / 9, 1.0 / 3, 4.0 / 9}};
static const double difference[STAGES] = {-5.0 / 72, 1.0 / 12, 1.0 / 9, -1.0 / 8};
static double k_values[STAGES][EQUATIONS], parameters[EQUATIONS];

__attribute__((noinline)) static void master(const double *y, double *dy) { CALL;
    for (int i = 0; i < EQUATIONS; i++) { TRIP;
        int left = i == 0 ? EQUATIONS - 1 : i - 1, right = i == EQUATIONS - 1 ? 0 : i + 1;
        dy[i] = parameters[i] * (y[left] - 2.0 * y[i] + y[right]) + 0.5 * y[i] * (1.0 - y[i]);
    }
}

__attribute__((noinline)) static void embedded(const double *y, double h, double *result, double *error) { CALL;
    for (int stage = 0; stage < STAGES; stage++) { TRIP;
        memcpy(result, y, EQUATIONS * sizeof(double));
        for (int s = 0; s < stage; s++) { TRIP;
            for (int i = 0; i < EQUATIONS; i++) { TRIP;
                result[i] += h * above[stage][s] * k_values[s][i];
            }
        }
        master(result, k_values[stage]);
    }
    for (int i = 0; i < EQUATIONS; i++) { TRIP;
        error[i] = 0.0;
        for (int s = 0; s < STAGES; s++) { TRIP;
            error[i] += h * difference[s] * k_values[s][i];
        }
    }
}

// Returns how many steps were stored, which is below xmax if the cell comes to rest or the solver gives up.
__attribute__((noinline)) static int solver(double **y, int xmax, double tolerance) { CALL;
    double error[EQUATIONS], h = 0.5;
    for (int k = 1; k <= xmax; k++) { TRIP;
        int accepted = 0;
        for (int j = 1; j <= ATTEMPTS; j++) { TRIP;
            double largest = 0.0;
            embedded(y[k - 1], h, y[k], error);
            for (int i = 0; i < EQUATIONS; i++) { TRIP;
                if (fabs(error[i]) > largest) largest = fabs(error[i]);
            }
            if (largest <= tolerance) {
                accepted = 1;
                if (largest < tolerance / 20.0) h *= 1.5;
                break;
            }
            h *= 0.5;
        }
        if (!accepted) return k - 1;
        double change = 0.0;
        for (int i = 0; i < EQUATIONS; i++) { TRIP;
            change = fmax(change, fabs(y[k][i] - y[k - 1][i]));
        }
        if (change < 1e-3) return k;
    }
    return xmax;
}

// in terms of the arguments: allocated = xmax + 1
__attribute__((noinline)) static double **new_states(int allocated) { CALL;
    double **y = calloc(allocated, sizeof(double *));
    for (int i = 0; i < allocated; i++) { TRIP;
        y[i] = calloc(EQUATIONS, sizeof(double));
    }
    return y;
}

int main(int argc, char **argv) {
    int instances = atoi(argv[1]), xmax = atoi(argv[2]);
    unsigned seed = 53;
    double sum = 0.0, **y = new_states(xmax + 1);
    for (int instance = 0; instance < instances; instance++) { TRIP;
        for (int i = 0; i < EQUATIONS; i++) { TRIP;
            parameters[i] = next_number(&seed) % 100 / 200.0;
            y[0][i] = next_number(&seed) % 100 / 100.0 * (instance + 1);
        }
        int stored = solver(y, xmax, 1e-4);
        for (int k = 0; k <= stored; k++) { TRIP;
            sum += y[k][k % EQUATIONS];
        }
    }
    printf("%g\n", sum);
    return 0;
}
