// arguments: p=3..50 q=3..60 r=2..40 s=4..50
// Multiplies three matrices one after the other, and adds the product to a scaled fourth.
#include "trips.h"

// in terms of the arguments: differs
__attribute__((noinline)) static void fill(int rows, int cols, double (*x)[cols + 1], unsigned seed) { CALL;
    for (int i = 0; i < rows; i++) { TRIP;
        for (int j = 0; j < cols; j++) { TRIP;
            x[i][j] = next_number(&seed) % 64 / 64.0;
        }
    }
}

// in terms of the arguments: h = p, w = q, deep = r
__attribute__((noinline)) static void first(int h, int w, int deep, double (*a)[deep + 1], double (*b)[w + 1], double (*ab)[w + 1]) { CALL;
    for (int i = 0; i < h; i++) { TRIP;
        for (int j = 0; j < w; j++) { TRIP;
            ab[i][j] = 0;
            for (int k = 0; k < deep; k++) { TRIP;
                ab[i][j] += 1.5 * a[i][k] * b[k][j];
            }
        }
    }
}

// in terms of the arguments: h = p, w = s, deep = q
__attribute__((noinline)) static void second(int h, int w, int deep, double (*ab)[deep + 1], double (*c)[w + 1], double (*d)[w + 1]) { CALL;
    for (int i = 0; i < h; i++) { TRIP;
        for (int j = 0; j < w; j++) { TRIP;
            d[i][j] *= 1.2;
            for (int k = 0; k < deep; k++) { TRIP;
                d[i][j] += ab[i][k] * c[k][j];
            }
        }
    }
}

int main(int argc, char **argv) {
    int p = atoi(argv[1]), q = atoi(argv[2]), r = atoi(argv[3]), s = atoi(argv[4]);
    double (*a)[r + 1] = malloc((p + 1) * sizeof *a), (*b)[q + 1] = malloc((r + 1) * sizeof *b);
    double (*c)[s + 1] = malloc((q + 1) * sizeof *c), (*d)[s + 1] = malloc((p + 1) * sizeof *d);
    double (*ab)[q + 1] = malloc((p + 1) * sizeof *ab);
    fill(p, r, a, 1);
    fill(r, q, b, 2);
    fill(q, s, c, 3);
    fill(p, s, d, 4);
    first(p, q, r, a, b, ab);
    second(p, s, q, ab, c, d);
    double sum = 0;
    for (int i = 0; i < p; i++) { TRIP;
        for (int j = 0; j < s; j++) { TRIP;
            sum += d[i][j];
        }
    }
    printf("%g\n", sum);
    return 0;
}
