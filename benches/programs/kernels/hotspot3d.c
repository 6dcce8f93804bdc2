// arguments: rows=4..32 cols=4..32 layers=1..8 steps=1..6
// Computes how heat spreads through a stack of layers and prints the mean and the largest change of temperature.
#include "trips.h"

struct chip {
    int nx, ny, nz;
    double cc, ce, cn, ct;
};

// in terms of the arguments: len = rows * cols * layers
__attribute__((noinline)) static void initialise(const struct chip *chip, double *t, double *power) { CALL;
    unsigned seed = 29;
    int len = chip->nx * chip->ny * chip->nz;
    for (int i = 0; i < len; i++) { TRIP;
        t[i] = 300.0 + next_number(&seed) % 50;
        power[i] = next_number(&seed) % 10 / 10.0;
    }
}

// in terms of the arguments: chip->nx = cols, chip->ny = rows, chip->nz = layers
__attribute__((noinline)) static void step(const struct chip *chip, const double *in, const double *power,
                                           double *out) { CALL;
    int nx = chip->nx, ny = chip->ny, nz = chip->nz;
    for (int z = 0; z < nz; z++) { TRIP;
        for (int y = 0; y < ny; y++) { TRIP;
            for (int x = 0; x < nx; x++) { TRIP;
                int c = x + y * nx + z * nx * ny;
                int w = x == 0 ? c : c - 1, e = x == nx - 1 ? c : c + 1;
                int n = y == 0 ? c : c - nx, s = y == ny - 1 ? c : c + nx;
                int b = z == 0 ? c : c - nx * ny, t = z == nz - 1 ? c : c + nx * ny;
                out[c] = in[c] * chip->cc + (in[n] + in[s]) * chip->cn + (in[e] + in[w]) * chip->ce +
                         (in[t] + in[b]) * chip->ct + 0.01 * power[c];
            }
        }
    }
}

// Restores the outermost columns, because they keep their temperature.
// in terms of the arguments: lines = rows * layers
__attribute__((noinline)) static void keep_sides(const struct chip *chip, const double *in, double *out) { CALL;
    int lines = chip->ny * chip->nz;
    for (int line = 1; line <= lines; line++) { TRIP;
        if (chip->nx < 2) break;
        out[line * chip->nx - 1] = in[line * chip->nx - 1];
        out[(line - 1) * chip->nx] = in[(line - 1) * chip->nx];
    }
}

// in terms of the arguments: len = rows * cols * layers
__attribute__((noinline)) static double largest_change(int len, const double *a, const double *b) { CALL;
    double largest = 0.0;
    int i = len;
    while (i-- > 0) { TRIP;
        double change = fabs(a[i] - b[i]);
        if (change > largest) largest = change;
    }
    return largest;
}

// in terms of the arguments: len = rows * cols * layers
int main(int argc, char **argv) {
    int rows = atoi(argv[1]), cols = atoi(argv[2]), layers = atoi(argv[3]), steps = atoi(argv[4]);
    struct chip chip = {cols, rows, layers, 0.4, 0.1, 0.1, 0.1};
    int len = rows * cols * layers;
    double *in = calloc(len + 1, sizeof(double)), *out = calloc(len + 1, sizeof(double));
    double *power = calloc(len + 1, sizeof(double)), sum = 0.0;
    initialise(&chip, in, power);
    int done = 0;
    do { TRIP;
        step(&chip, in, power, out);
        keep_sides(&chip, in, out);
        double *kept = in;
        in = out;
        out = kept;
        done++;
    } while (done < steps);
    for (int i = 0; i < len; i++) { TRIP;
        sum += in[i];
    }
    printf("%g %g\n", sum / (len + 1), largest_change(len, in, out));
    return 0;
}
