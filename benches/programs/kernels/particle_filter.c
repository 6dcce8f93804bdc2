// arguments: particles=10..250 frames=2..10 radius=1..5
// Follows a bright disk through a noisy film with weighted random particles and prints where it ends.
#include "trips.h"

#define SIDE 40

static unsigned seed = 71;

__attribute__((noinline)) static double noise(void) { CALL;
    double sum = 0.0;
    for (int i = 0; i < 4; i++) { TRIP;
        sum += next_number(&seed) % 1000 / 1000.0 - 0.5;
    }
    return sum;
}

// in terms of the arguments: diameter = 2 * radius + 1
__attribute__((noinline)) static int find_offsets(int diameter, int radius, int *offsets) { CALL;
    int ones = 0;
    for (int y = 0; y < diameter; y++) { TRIP;
        for (int x = 0; x < diameter; x++) { TRIP;
            if ((y - radius) * (y - radius) + (x - radius) * (x - radius) > radius * radius) continue;
            offsets[2 * ones] = y - radius;
            offsets[2 * ones + 1] = x - radius;
            ones++;
        }
    }
    return ones;
}

// in terms of the arguments: differs
__attribute__((noinline)) static void film(int frame, int ones, const int *offsets, int *image) { CALL;
    for (int i = 0; i < SIDE * SIDE; i++) { TRIP;
        image[i] = 100 + next_number(&seed) % 20;
    }
    for (int k = 0; k < ones; k++) { TRIP;
        image[(10 + frame + offsets[2 * k]) * SIDE + 12 + frame + offsets[2 * k + 1]] = 228;
    }
}

// in terms of the arguments: length = particles
__attribute__((noinline)) static int find_index(const double *cdf, int length, double value) { CALL;
    int index = -1;
    for (int x = 0; x < length; x++) { TRIP;
        if (cdf[x] >= value) {
            index = x;
            break;
        }
    }
    return index < 0 ? length - 1 : index;
}

// The number of ones depends only on the radius, but no expression gives it.
// in terms of the arguments: differs
__attribute__((noinline)) static double likelihood(double y, double x, int ones, const int *offsets,
                                                   const int *image) { CALL;
    double sum = 0.0;
    for (int k = 0; k < ones; k++) { TRIP;
        int row = (int)y + offsets[2 * k], col = (int)x + offsets[2 * k + 1];
        if (row < 0 || col < 0 || row >= SIDE || col >= SIDE) continue;
        int value = image[row * SIDE + col];
        sum += ((value - 100) * (value - 100) - (value - 228) * (value - 228)) / 5000.0;
    }
    return ones > 0 ? sum / ones : 0.0;
}

int main(int argc, char **argv) {
    int particles = atoi(argv[1]), frames = atoi(argv[2]), radius = atoi(argv[3]);
    int diameter = 2 * radius + 1, image[SIDE * SIDE];
    int *offsets = calloc(2 * diameter * diameter, sizeof(int));
    double *x = calloc(particles + 1, sizeof(double)), *y = calloc(particles + 1, sizeof(double));
    double *new_x = calloc(particles + 1, sizeof(double)), *new_y = calloc(particles + 1, sizeof(double));
    double *weights = calloc(particles + 1, sizeof(double)), *cdf = calloc(particles + 1, sizeof(double));
    double xe = 0.0, ye = 0.0;
    int ones = find_offsets(diameter, radius, offsets);
    for (int i = 0; i < particles; i++) { TRIP;
        x[i] = 12.0;
        y[i] = 10.0;
    }
    for (int k = 1; k < frames; k++) { TRIP;
        double total = 0.0;
        film(k, ones, offsets, image);
        for (int i = 0; i < particles; i++) { TRIP;
            x[i] += 1.0 + noise();
            y[i] += 1.0 + noise();
            weights[i] = exp(likelihood(y[i], x[i], ones, offsets, image));
            total += weights[i];
        }
        xe = ye = 0.0;
        for (int i = 0; i < particles; i++) { TRIP;
            weights[i] /= total;
            xe += x[i] * weights[i];
            ye += y[i] * weights[i];
            cdf[i] = weights[i] + (i > 0 ? cdf[i - 1] : 0.0);
        }
        for (int j = 0; j < particles; j++) { TRIP;
            int i = find_index(cdf, particles, (j + 0.5) / particles);
            new_x[j] = x[i];
            new_y[j] = y[i];
        }
        memcpy(x, new_x, particles * sizeof(double));
        memcpy(y, new_y, particles * sizeof(double));
    }
    printf("%g %g\n", xe, ye);
    return 0;
}
