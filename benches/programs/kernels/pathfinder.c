// arguments: rows=4..100 cols=10..600 helpers=1..7
// Finds the cheapest way from the top to the bottom row of a grid, where each step may move one column aside.
#include "trips.h"

#define MIN(a, b) ((a) <= (b) ? (a) : (b))

static int rows, cols, workers, chunk;
static int *data, **wall, *result;

__attribute__((noinline)) static void init(void) { CALL;
    unsigned seed = 73;
    data = calloc(rows * cols + 1, sizeof(int));
    wall = calloc(rows + 1, sizeof(int *));
    result = calloc(cols + 1, sizeof(int));
    for (int n = 0; n < rows; n++) { TRIP;
        wall[n] = data + cols * n;
    }
    for (int i = 0; i < rows; i++) { TRIP;
        for (int j = 0; j < cols; j++) { TRIP;
            wall[i][j] = next_number(&seed) % 10;
        }
    }
    for (int j = 0; j < cols; j++) { TRIP;
        result[j] = rows > 0 ? wall[0][j] : 0;
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void work(int t, int lo, int hi, const int *src, int *dst) { CALL;
    for (int n = lo; n < hi; n++) { TRIP;
        int least = src[n];
        if (n > 0) least = MIN(least, src[n - 1]);
        if (n < cols - 1) least = MIN(least, src[n + 1]);
        dst[n] = wall[t + 1][n] + least;
    }
}

// in terms of the arguments: workers = helpers + 1, chunk = (cols + helpers) // (helpers + 1)
__attribute__((noinline)) static void run(void) { CALL;
    int *dst = calloc(cols + 1, sizeof(int)), *src = result;
    for (int t = 0; t < rows - 1; t++) { TRIP;
        for (int w = 0; w < workers; w++) { TRIP;
            int lo = w * chunk, hi = MIN(lo + chunk, cols);
            if (lo >= cols) break;
            work(t, lo, hi, src, dst);
        }
        int *temp = src;
        src = dst;
        dst = temp;
    }
    result = src;
    free(dst);
}

// Sums the cheapest cell of each chunk, with the last chunk cut at the border.
// in terms of the arguments: chunk = (cols + helpers) // (helpers + 1)
__attribute__((noinline)) static double best_per_chunk(void) { CALL;
    double sum = 0.0;
    for (int start = 0; start < cols; start += chunk) { TRIP;
        int best = result[start];
        for (int j = start + 1; j < MIN(start + chunk, cols); j++) { TRIP;
            if (result[j] < best) best = result[j];
        }
        sum += best;
    }
    return sum;
}

int main(int argc, char **argv) {
    int helpers = atoi(argv[3]);
    rows = atoi(argv[1]);
    cols = atoi(argv[2]);
    workers = helpers + 1;
    chunk = (cols + workers - 1) / workers;
    init();
    run();
    double least = cols > 0 ? result[0] : 0;
    for (int j = 1; j < cols; j++) { TRIP;
        if (result[j] < least) least = result[j];
    }
    printf("%g %g\n", least, best_per_chunk());
    return 0;
}
