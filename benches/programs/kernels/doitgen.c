// arguments: nr=2..24 nq=2..20 np=3..40
// Multiplies every line of a three-dimensional array with the same square matrix.
#include "trips.h"

__attribute__((noinline)) static void fill(int nr, int nq, int np, double (*a)[nq + 1][np + 1]) { CALL;
    unsigned seed = 64;
    for (int r = 0; r < nr; r++) { TRIP;
        for (int q = 0; q < nq; q++) { TRIP;
            for (int p = 0; p < np; p++) { TRIP;
                a[r][q][p] = (r * q + p + next_number(&seed) % 4) % 13 / 13.0;
            }
        }
    }
}

// in terms of the arguments: planes = nr, lines = nq, len = np
__attribute__((noinline)) static void transform(int planes, int lines, int len, double (*a)[lines + 1][len + 1], double *factors) { CALL;
    double *sums = malloc((len + 1) * sizeof *sums);
    for (int r = 0; r < planes; r++) { TRIP;
        for (int q = 0; q < lines; q++) { TRIP;
            for (int p = 0; p < len; p++) { TRIP;
                sums[p] = 0;
                for (int s = 0; s < len; s++) { TRIP;
                    sums[p] += a[r][q][s] * factors[s * len + p];
                }
            }
            for (int p = 0; p < len; p++) { TRIP;
                a[r][q][p] = sums[p];
            }
        }
    }
    free(sums);
}

int main(int argc, char **argv) {
    int nr = atoi(argv[1]), nq = atoi(argv[2]), np = atoi(argv[3]);
    double (*a)[nq + 1][np + 1] = malloc((nr + 1) * sizeof *a);
    double *factors = malloc((np * np + 1) * sizeof *factors);
    fill(nr, nq, np, a);
    for (int i = 0; i < np; i++) { TRIP;
        for (int j = 0; j < np; j++) { TRIP;
            factors[i * np + j] = i * j % 8 / 8.0;
        }
    }
    transform(nr, nq, np, a, factors);
    double sum = 0;
    for (int r = 0; r < nr; r++) { TRIP;
        for (int p = 0; p < np; p++) { TRIP;
            if (nq > 0) sum += a[r][nq - 1][p];
        }
    }
    printf("%g\n", sum);
    return 0;
}
