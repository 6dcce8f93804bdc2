// arguments: n=2..26 steps=1..10
// Spreads heat through a cube whose faces keep their temperature.
#include "trips.h"

#define AT(x, y, z) (((x) * size + (y)) * size + (z))

// in terms of the arguments: size = n + 2
__attribute__((noinline)) static void init(int size, double *cube) { CALL;
    unsigned seed = 33;
    for (int x = 0; x < size; x++) { TRIP;
        for (int y = 0; y < size; y++) { TRIP;
            for (int z = 0; z < size; z++) { TRIP;
                cube[AT(x, y, z)] = x + y + next_number(&seed) % 10;
            }
        }
    }
}

// in terms of the arguments: size = n + 2
__attribute__((noinline)) static void spread(int size, const double *from, double *to) { CALL;
    for (int x = 1; x < size - 1; x++) { TRIP;
        for (int y = 1; y < size - 1; y++) { TRIP;
            for (int z = 1; z < size - 1; z++) { TRIP;
                double middle = from[AT(x, y, z)];
                to[AT(x, y, z)] = middle + 0.125 * (from[AT(x + 1, y, z)] + from[AT(x - 1, y, z)] - 2 * middle) +
                                  0.125 * (from[AT(x, y + 1, z)] + from[AT(x, y - 1, z)] - 2 * middle) +
                                  0.125 * (from[AT(x, y, z + 1)] + from[AT(x, y, z - 1)] - 2 * middle);
            }
        }
    }
}

// in terms of the arguments: cells = (n + 2) ** 3
int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int steps = atoi(argv[2]);
    int size = n + 2;
    int cells = size * size * size;
    double *now = malloc(cells * sizeof *now), *next = malloc(cells * sizeof *next);
    init(size, now);
    memcpy(next, now, cells * sizeof *now);
    for (int t = 0; t < steps; t++) { TRIP;
        spread(size, now, next);
        double *swapped = now;
        now = next;
        next = swapped;
    }
    double sum = 0;
    for (int i = 0; i < cells; i++) { TRIP;
        sum += now[i] * (i % 3);
    }
    printf("%g\n", sum);
    return 0;
}
