// arguments: n=5..90 steps=1..12
// Spreads heat on a square grid with implicit steps in alternating directions.
#include "trips.h"

// in terms of the arguments: inner = n - 2
__attribute__((noinline)) static void solve_line(int inner, double *x, int stride, double *ratio, double *value) { CALL;
    const double side = -0.5, middle = 2.0;
    ratio[0] = 0;
    value[0] = x[0];
    for (int i = 1; i <= inner; i++) { TRIP;
        double divisor = middle - side * ratio[i - 1];
        ratio[i] = side / divisor;
        value[i] = (x[i * stride] - side * value[i - 1]) / divisor;
    }
    for (int i = inner; i >= 1; i--) { TRIP;
        x[i * stride] = value[i] - ratio[i] * x[(i + 1) * stride];
    }
}

// in terms of the arguments: size = n
__attribute__((noinline)) static void step(int size, double *grid, double *ratio, double *value) { CALL;
    for (int i = 1; i < size - 1; i++) { TRIP;
        solve_line(size - 2, grid + i * size, 1, ratio, value);
    }
    for (int j = 1; j < size - 1; j++) { TRIP;
        solve_line(size - 2, grid + j, size, ratio, value);
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    int steps = atoi(argv[2]);
    double *grid = calloc(n * n + 1, sizeof *grid);
    double *ratio = calloc(n + 1, sizeof *ratio), *value = calloc(n + 1, sizeof *value);
    unsigned seed = 2;
    for (int i = 0; i < n; i++) { TRIP;
        for (int j = 0; j < n; j++) { TRIP;
            grid[i * n + j] = 1 + next_number(&seed) % 100 / 100.0;
        }
    }
    for (int t = 1; t <= steps; t++) { TRIP;
        step(n, grid, ratio, value);
    }
    double sum = 0;
    for (int i = 0; i < n * n; i++) { TRIP;
        sum += grid[i];
    }
    printf("%g\n", sum);
    return 0;
}
