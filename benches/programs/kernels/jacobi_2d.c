// arguments: n=4..100 m=3..90 steps=1..15
// Replaces every inner point of a grid by the mean of itself and its four neighbours, again and again.
#include "trips.h"

struct grid {
    int height, width;
    double **row;
};

// in terms of the arguments: height = n, width = m
__attribute__((noinline)) static struct grid *create(int height, int width) { CALL;
    struct grid *made = malloc(sizeof *made);
    unsigned seed = 90;
    made->height = height;
    made->width = width;
    made->row = malloc((height + 1) * sizeof *made->row);
    for (int i = 0; i < height; i++) { TRIP;
        made->row[i] = malloc((width + 1) * sizeof *made->row[i]);
        for (int j = 0; j < width; j++) { TRIP;
            made->row[i][j] = next_number(&seed) % 50;
        }
    }
    return made;
}

// in terms of the arguments: from->height = n, from->width = m
__attribute__((noinline)) static void relax(const struct grid *from, struct grid *to) { CALL;
    for (int i = 1; i < from->height - 1; i++) { TRIP;
        const double *above = from->row[i - 1], *here = from->row[i], *below = from->row[i + 1];
        for (int j = 1; j < from->width - 1; j++) { TRIP;
            to->row[i][j] = 0.2 * (here[j] + here[j - 1] + here[j + 1] + above[j] + below[j]);
        }
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), steps = atoi(argv[3]);
    struct grid *a = create(n, m), *b = create(n, m);
    for (int step = steps; step > 0; step--) { TRIP;
        relax(a, b);
        relax(b, a);
    }
    double sum = 0;
    for (int i = 0; i < n; i++) { TRIP;
        for (int j = 0; j < m; j++) { TRIP;
            sum += a->row[i][j] * (j + 1);
        }
    }
    printf("%g\n", sum);
    return 0;
}
