// arguments: n=5..150
// Computes how many pairs of bases a folded strand of RNA can have, with Nussinov's algorithm.
#include "trips.h"

// in terms of the arguments: differs
__attribute__((noinline)) static int pairs(char a, char b) { CALL;
    return (a == 'A' && b == 'U') || (a == 'U' && b == 'A') || (a == 'C' && b == 'G') || (a == 'G' && b == 'C');
}

// in terms of the arguments: length = n
__attribute__((noinline)) static void make_strand(int length, char *strand) { CALL;
    unsigned seed = 4;
    char *end = strand + length;
    while (strand != end) { TRIP;
        *strand++ = "ACGU"[next_number(&seed) % 4];
    }
    *end = 0;
}

// in terms of the arguments: length = n
__attribute__((noinline)) static void fold(int length, const char *strand, int **best) { CALL;
    for (int i = length - 1; i >= 0; i--) { TRIP;
        for (int j = i + 1; j < length; j++) { TRIP;
            int most = best[i][j - 1];
            if (best[i + 1][j] > most) most = best[i + 1][j];
            int joined = i < j - 1 ? best[i + 1][j - 1] + pairs(strand[i], strand[j]) : 0;
            if (joined > most) most = joined;
            for (int k = i + 1; k < j; k++) { TRIP;
                int split = best[i][k] + best[k + 1][j];
                if (split > most) most = split;
            }
            best[i][j] = most;
        }
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]);
    char *strand = malloc(n + 1);
    int **best = malloc((n + 1) * sizeof *best);
    for (int i = 0; i <= n; i++) { TRIP;
        best[i] = calloc(n + 1, sizeof *best[i]);
    }
    make_strand(n, strand);
    fold(n, strand, best);
    printf("%d\n", n > 0 ? best[0][n - 1] : 0);
    return 0;
}
