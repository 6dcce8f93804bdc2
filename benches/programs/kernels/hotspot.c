// arguments: rows=8..120 cols=8..120 steps=1..8
// Computes how heat spreads over a chip, tile by tile, with smaller tiles at the right and lower edges.
#include "trips.h"

#define BLOCK 16
#define min(a, b) ((a) < (b) ? (a) : (b))

// in terms of the arguments: size = rows * cols
__attribute__((noinline)) static void read_input(int size, double *temp, double *power) { CALL;
    unsigned seed = 13;
    for (int i = 0; i < size; i++) { TRIP;
        temp[i] = 320.0 + next_number(&seed) % 20;
        power[i] = next_number(&seed) % 100 / 1000.0;
    }
}

// in terms of the arguments: row = rows, col = cols
__attribute__((noinline)) static void single_step(double *result, const double *temp, const double *power, int row,
                                                  int col) { CALL;
    int tiles_down = (row + BLOCK - 1) / BLOCK, tiles_across = (col + BLOCK - 1) / BLOCK;
    int chunks = tiles_down * tiles_across;
    for (int chunk = 0; chunk < chunks; chunk++) { TRIP;
        int r0 = BLOCK * (chunk / tiles_across), c0 = BLOCK * (chunk % tiles_across);
        int r_end = min(r0 + BLOCK, row), c_end = min(c0 + BLOCK, col);
        if (r0 == 0 || c0 == 0 || r_end == row || c_end == col) {
            for (int r = r0; r < r_end; r++) { TRIP;
                for (int c = c0; c < c_end; c++) { TRIP;
                    int i = r * col + c;
                    double up = r > 0 ? temp[i - col] : temp[i], down = r < row - 1 ? temp[i + col] : temp[i];
                    double left = c > 0 ? temp[i - 1] : temp[i], right = c < col - 1 ? temp[i + 1] : temp[i];
                    result[i] = temp[i] + power[i] + 0.1 * (up + down + left + right - 4.0 * temp[i]);
                }
            }
            continue;
        }
        for (int r = r0; r < r0 + BLOCK; r++) { TRIP;
            for (int c = c0; c < c0 + BLOCK; c++) { TRIP;
                int i = r * col + c;
                double around = temp[i - col] + temp[i + col] + temp[i - 1] + temp[i + 1];
                result[i] = temp[i] + power[i] + 0.1 * (around - 4.0 * temp[i]);
            }
        }
    }
}

// in terms of the arguments: num_iterations = steps, row = rows, col = cols
__attribute__((noinline)) static double *compute_temperature(double *result, int num_iterations, double *temp,
                                                             const double *power, int row, int col) { CALL;
    double *from = temp, *to = result;
    for (int i = 0; i < num_iterations; i++) { TRIP;
        single_step(to, from, power, row, col);
        double *kept = from;
        from = to;
        to = kept;
    }
    return from;
}

int main(int argc, char **argv) {
    int rows = atoi(argv[1]), cols = atoi(argv[2]), steps = atoi(argv[3]);
    int size = rows * cols;
    double *temp = calloc(size + 1, sizeof(double)), *power = calloc(size + 1, sizeof(double));
    double *result = calloc(size + 1, sizeof(double)), sum = 0.0;
    read_input(size, temp, power);
    double *last = compute_temperature(result, steps, temp, power, rows, cols);
    for (int r = 0; r < rows; r++) { TRIP;
        for (int c = r % 2; c < cols; c += 2) { TRIP;
            sum += last[r * cols + c];
        }
    }
    printf("%g\n", sum);
    return 0;
}
