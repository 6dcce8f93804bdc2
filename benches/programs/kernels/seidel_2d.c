// arguments: rounds=1..20 n=2..90
// Replaces every inner point of a square grid by the mean of its three-by-three neighbourhood, in place.
#include "trips.h"

static int rounds, n, side;

// in terms of the arguments: side = n + 2
__attribute__((noinline)) static void init(double (*grid)[side]) { CALL;
    unsigned seed = 44;
    for (int i = 0; i < side; i++) { TRIP;
        for (int j = 0; j < side; j++) { TRIP;
            grid[i][j] = (next_number(&seed) % 8 + i * (j + 2.0)) / side;
        }
    }
}

__attribute__((noinline)) static void relax(double (*grid)[side]) { CALL;
    for (int round = 0; round < rounds; round++) { TRIP;
        for (int i = 1; i <= n; i++) { TRIP;
            for (int j = 1; j <= n; j++) { TRIP;
                double sum = 0;
                for (int k = i - 1; k <= i + 1; k++) { TRIP;
                    sum += grid[k][j - 1] + grid[k][j] + grid[k][j + 1];
                }
                grid[i][j] = sum / 9;
            }
        }
    }
}

// in terms of the arguments: side = n + 2
__attribute__((noinline)) static double mean(double (*grid)[side]) { CALL;
    double sum = 0;
    for (int i = side; i-- > 0;) { TRIP;
        for (int j = side; j-- > 0;) { TRIP;
            sum += grid[i][j];
        }
    }
    return sum / (side * side);
}

int main(int argc, char **argv) {
    rounds = atoi(argv[1]);
    n = atoi(argv[2]);
    side = n + 2;
    double (*grid)[side] = malloc(side * sizeof *grid);
    init(grid);
    relax(grid);
    printf("%g\n", mean(grid));
    return 0;
}
