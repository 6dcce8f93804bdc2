// arguments: steps=1..15 nx=3..70 ny=4..80
// Simulates an electromagnetic wave on a two-dimensional grid with finite differences.
#include "trips.h"

// in terms of the arguments: rows = nx, cols = ny + 1
__attribute__((noinline)) static void electric(int rows, int cols, double (*ex)[cols], double (*ey)[cols], double (*hz)[cols], int t) { CALL;
    for (int j = 0; j < cols; j++) { TRIP;
        ey[0][j] = t;
    }
    for (int i = 1; i < rows; i++) { TRIP;
        for (int j = 0; j < cols; j++) { TRIP;
            ey[i][j] -= 0.5 * (hz[i][j] - hz[i - 1][j]);
        }
    }
    for (int i = 0; i < rows; i++) { TRIP;
        for (int j = 1; j < cols; j++) { TRIP;
            ex[i][j] -= 0.5 * (hz[i][j] - hz[i][j - 1]);
        }
    }
}

// in terms of the arguments: rows = nx, cols = ny + 1
__attribute__((noinline)) static void magnetic(int rows, int cols, double (*ex)[cols], double (*ey)[cols], double (*hz)[cols]) { CALL;
    for (int i = 0; i < rows - 1; i++) { TRIP;
        for (int j = 0; j < cols - 1; j++) { TRIP;
            hz[i][j] -= 0.7 * (ex[i][j + 1] - ex[i][j] + ey[i + 1][j] - ey[i][j]);
        }
    }
}

int main(int argc, char **argv) {
    int steps = atoi(argv[1]), nx = atoi(argv[2]), ny = atoi(argv[3]);
    int cols = ny + 1;
    double (*ex)[cols] = calloc(nx + 1, sizeof *ex);
    double (*ey)[cols] = calloc(nx + 1, sizeof *ey);
    double (*hz)[cols] = calloc(nx + 1, sizeof *hz);
    unsigned seed = 60;
    for (int i = 0; i < nx; i++) { TRIP;
        for (int j = 0; j < ny; j++) { TRIP;
            hz[i][j] = next_number(&seed) % 100 / 100.0;
        }
    }
    for (int t = 0; t < steps; t++) { TRIP;
        electric(nx, cols, ex, ey, hz, t);
        magnetic(nx, cols, ex, ey, hz);
    }
    double sum = 0;
    for (int i = 0; i < nx; i++) { TRIP;
        for (int j = 0; j < ny; j++) { TRIP;
            sum += hz[i][j];
        }
    }
    printf("%g\n", sum);
    return 0;
}
