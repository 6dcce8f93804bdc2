// arguments: n=8..250 m=8..250 penalty=1..10
// Aligns two random sequences of n and m letters by dynamic programming over anti-diagonals and traces the best path.
#include "trips.h"

#define LETTERS 24

static int blosum[LETTERS][LETTERS];

// in terms of the arguments: differs
__attribute__((noinline)) static int maximum(int a, int b, int c) { CALL;
    int k = a <= b ? b : a;
    return k <= c ? c : k;
}

__attribute__((noinline)) static void make_scores(unsigned *seed) { CALL;
    for (int i = 0; i < LETTERS; i++) { TRIP;
        for (int j = 0; j <= i; j++) { TRIP;
            blosum[i][j] = blosum[j][i] = i == j ? 6 : (int)(next_number(seed) % 7) - 4;
        }
    }
}

// in terms of the arguments: max_rows = n + 1, max_cols = m + 1
__attribute__((noinline)) static void prepare(int max_rows, int max_cols, const int *first, const int *second,
                                              int *items, int *reference, int penalty) { CALL;
    for (int i = 1; i < max_rows; i++) { TRIP;
        for (int j = 1; j < max_cols; j++) { TRIP;
            reference[i * max_cols + j] = blosum[first[i]][second[j]];
        }
    }
    for (int i = 1; i < max_rows; i++) { TRIP;
        items[i * max_cols] = -i * penalty;
    }
    for (int j = 1; j < max_cols; j++) { TRIP;
        items[j] = -j * penalty;
    }
}

// in terms of the arguments: max_rows = n + 1, max_cols = m + 1
__attribute__((noinline)) static void fill(int max_rows, int max_cols, int *items, const int *reference,
                                           int penalty) { CALL;
    for (int d = 2; d <= max_rows + max_cols - 2; d++) { TRIP;
        int lo = d - (max_cols - 1) > 1 ? d - (max_cols - 1) : 1, hi = d - 1 < max_rows - 1 ? d - 1 : max_rows - 1;
        for (int i = lo; i <= hi; i++) { TRIP;
            int index = i * max_cols + d - i;
            items[index] = maximum(items[index - max_cols - 1] + reference[index], items[index - 1] - penalty,
                                   items[index - max_cols] - penalty);
        }
    }
}

// in terms of the arguments: max_rows = n + 1, max_cols = m + 1
__attribute__((noinline)) static int trace(int max_rows, int max_cols, const int *items, const int *reference,
                                           int penalty) { CALL;
    int i = max_rows - 1, j = max_cols - 1, matches = 0;
    while (i > 0 || j > 0) { TRIP;
        if (i == 0 || j == 0) break;
        int index = i * max_cols + j;
        if (items[index] == items[index - max_cols - 1] + reference[index]) {
            matches++;
            i--;
            j--;
        } else if (items[index] == items[index - 1] - penalty) {
            j--;
        } else {
            i--;
        }
    }
    return matches;
}

// in terms of the arguments: max_rows = n + 1, max_cols = m + 1
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]), penalty = atoi(argv[3]);
    int max_rows = n + 1, max_cols = m + 1;
    int *items = calloc(max_rows * max_cols, sizeof(int)), *reference = calloc(max_rows * max_cols, sizeof(int));
    int *first = calloc(max_rows, sizeof(int)), *second = calloc(max_cols, sizeof(int));
    unsigned seed = 67;
    make_scores(&seed);
    for (int i = 1; i < max_rows; i++) { TRIP;
        first[i] = next_number(&seed) % LETTERS;
    }
    for (int j = 1; j < max_cols; j++) { TRIP;
        second[j] = next_number(&seed) % LETTERS;
    }
    prepare(max_rows, max_cols, first, second, items, reference, penalty);
    fill(max_rows, max_cols, items, reference, penalty);
    printf("%d %d\n", items[max_rows * max_cols - 1], trace(max_rows, max_cols, items, reference, penalty));
    return 0;
}
