/* Loops whose complexity is hidden from a glance: the running example of the paper, a triangle, and a search for duplicates. */
#include <stdio.h>
#include <stdlib.h>

static int **matrix(int rows, int columns) {
    int **made = malloc(rows * sizeof *made);
    for (int i = 0; i < rows; i++) {
        made[i] = malloc(columns * sizeof **made);
        for (int j = 0; j < columns; j++)
            made[i][j] = (i * 7 + j * 3) % 10;
    }
    return made;
}

/* Figure 1 of the paper. The last loop looks linear: its counter moves only at the end of a line. */
static void multiply(int **a, int **b, int n) {
    int i, j, k, sum;
    int **result = malloc(n * sizeof *result);
    for (i = 0; i < n; i++)
        result[i] = malloc(n * sizeof **result);

    for (i = 0; i < n; i++) {
        for (j = 0; j < n; j++) {
            sum = 0;
            for (k = 0; k < n; k++)
                sum += a[i][k] * b[k][j];
            result[i][j] = sum;
        }
    }

    j = 0;
    for (i = 0; i < n;) {
        if (j >= n) {
            j = 0;
            i++;
            putchar('\n');
        } else {
            printf("%8d", result[i][j++]);
        }
    }
}

/* Half of a square, and half of that again in steps of four. */
static long pairs(const int *values, int count) {
    long close = 0;
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            close += abs(values[i] - values[j]) < 2;
    for (int i = 0; i < count; i += 4)
        close += values[i];
    return close;
}

/* Ends early where a value is found. */
static int find(const int *values, int count, int wanted) {
    for (int i = 0; i < count; i++)
        if (values[i] == wanted)
            return i;
    return -1;
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 10;
    int **a = matrix(n, n), **b = matrix(n, n + 5);
    multiply(a, b, n);
    int count = 3 * n, *values = malloc(count * sizeof *values);
    for (int i = 0; i < count; i++)
        values[i] = i * i % 1009;
    int found = 0;
    for (int i = 0; i < n; i++)
        found += find(values, count, i) >= 0;
    printf("%ld %d\n", pairs(values, count), found);
    return 0;
}
