// arguments: cells=40..2000 steps=1..6
// Moves density, momentum and energy between neighbouring cells of an unstructured grid, in three stages per step.
#include "trips.h"

#define BLOCK 32
#define NEIGHBOURS 4
#define STAGES 3
#define VARIABLES 5

// in terms of the arguments: nelr = 32 * ((cells + 32 - 1) // 32)
__attribute__((noinline)) static void initialise(int nelr, double *v, double *area, int *around) { CALL;
    unsigned seed = 19;
    for (int i = 0; i < nelr; i++) { TRIP;
        area[i] = 1.0 + next_number(&seed) % 100 / 100.0;
        for (int j = 0; j < NEIGHBOURS; j++) { TRIP;
            int k = next_number(&seed) % (nelr + nelr / 8);
            around[i * NEIGHBOURS + j] = k < nelr ? k : -1;
        }
        for (int j = 0; j < VARIABLES; j++) { TRIP;
            v[i * VARIABLES + j] = 1.0 + (i + j) % 5 * 0.1;
        }
    }
}

// in terms of the arguments: nelr = 32 * ((cells + 32 - 1) // 32)
__attribute__((noinline)) static void step_factors(int nelr, const double *v, const double *area, double *f) { CALL;
    for (int block = 0; block < nelr / BLOCK; block++) { TRIP;
        int start = block * BLOCK, end = (block + 1) * BLOCK > nelr ? nelr : (block + 1) * BLOCK;
        for (int i = start; i < end; i++) { TRIP;
            double density = v[i * VARIABLES], speed = fabs(v[i * VARIABLES + 1]) / density;
            f[i] = 0.05 / (sqrt(area[i]) * (speed + 1.0));
        }
    }
}

// in terms of the arguments: nelr = 32 * ((cells + 32 - 1) // 32)
__attribute__((noinline)) static void fluxes(int nelr, const double *v, const int *around, double *flux) { CALL;
    for (int block = 0; block < nelr / BLOCK; block++) { TRIP;
        for (int i = block * BLOCK; i < (block + 1) * BLOCK; i++) { TRIP;
            double total[VARIABLES] = {0.0};
            for (int j = 0; j < NEIGHBOURS; j++) { TRIP;
                int k = around[i * NEIGHBOURS + j];
                if (k < 0) {
                    total[1] += 0.1;
                    continue;
                }
                for (int d = 0; d < VARIABLES; d++) { TRIP;
                    total[d] += v[k * VARIABLES + d] - v[i * VARIABLES + d];
                }
            }
            for (int d = 0; d < VARIABLES; d++) { TRIP;
                flux[i * VARIABLES + d] = total[d];
            }
        }
    }
}

// in terms of the arguments: nelr = 32 * ((cells + 32 - 1) // 32)
__attribute__((noinline)) static void advance(int nelr, double *v, const double *old, const double *f,
                                              const double *flux, double share) { CALL;
    for (int b_start = 0; b_start < nelr; b_start += BLOCK) { TRIP;
        for (int i = b_start; i < b_start + BLOCK; i++) { TRIP;
            double factor = f[i] * share;
            for (int d = 0; d < VARIABLES; d++) { TRIP;
                v[i * VARIABLES + d] = old[i * VARIABLES + d] + factor * flux[i * VARIABLES + d];
            }
        }
    }
}

int main(int argc, char **argv) {
    int cells = atoi(argv[1]), steps = atoi(argv[2]);
    int nelr = BLOCK * ((cells + BLOCK - 1) / BLOCK), size = nelr * VARIABLES;
    double *v = calloc(size + 1, sizeof(double)), *old = calloc(size + 1, sizeof(double));
    double *flux = calloc(size + 1, sizeof(double)), *area = calloc(nelr + 1, sizeof(double));
    double *factors = calloc(nelr + 1, sizeof(double)), sum = 0.0;
    int *around = calloc(nelr * NEIGHBOURS + 1, sizeof(int));
    initialise(nelr, v, area, around);
    for (int i = 0; i < steps; i++) { TRIP;
        memcpy(old, v, size * sizeof(double));
        step_factors(nelr, v, area, factors);
        for (int j = 0; j < STAGES; j++) { TRIP;
            fluxes(nelr, v, around, flux);
            advance(nelr, v, old, factors, flux, 1.0 / (STAGES - j));
        }
    }
    for (int i = 0; i < cells; i++) { TRIP;
        sum += v[i * VARIABLES] + v[i * VARIABLES + 4];
    }
    printf("%g\n", sum);
    return 0;
}
