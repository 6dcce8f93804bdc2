/* Writes N ints in one of five orders to standard output, the same ones for the
 * same arguments on every machine.
 *
 *     ./gen N ORDER SEED > input
 *
 *     random      random ints with ties: from 6000, 65536 or 2^31 different ones
 *                 for SEED 1, 2 and 3 (and so on in turn)
 *     shuffled    the ints 0 to N-1, each once, randomly permuted
 *     sorted      the ints 0 to N-1 from least to greatest
 *     reversed    the same from greatest to least
 *     neighbours  sorted, then about N/2 random pairs of neighbours swapped
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64: a counter, scrambled. */
static uint64_t state;
static uint64_t random_below(uint64_t below) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return ((z ^ (z >> 31)) >> 33) % below;
}

static void swap(int *a, int *b) {
    int swapped = *a;
    *a = *b;
    *b = swapped;
}

static const uint64_t DIFFERENT[] = {6000, 65536, UINT64_C(1) << 31};

int main(int argc, char **argv) {
    size_t n = argc == 4 ? strtoull(argv[1], NULL, 10) : 0;
    if (n < 2) {
        fprintf(stderr, "usage: gen N random|shuffled|sorted|reversed|neighbours SEED\n");
        return 1;
    }
    const char *order = argv[2];
    uint64_t seed = strtoull(argv[3], NULL, 10);
    state = seed * 1000003u + n;

    int *arr = malloc(n * sizeof(int));
    if (!arr) return 1;
    for (size_t k = 0; k < n; k++) arr[k] = (int)k;

    if (!strcmp(order, "random")) {
        uint64_t different = DIFFERENT[(seed + 2) % 3];
        for (size_t k = 0; k < n; k++) arr[k] = (int)random_below(different);
    } else if (!strcmp(order, "shuffled")) {
        for (size_t k = n - 1; k > 0; k--) swap(&arr[k], &arr[random_below(k + 1)]);
    } else if (!strcmp(order, "reversed")) {
        for (size_t k = 0; k < n / 2; k++) swap(&arr[k], &arr[n - 1 - k]);
    } else if (!strcmp(order, "neighbours")) {
        for (size_t pairs = n / 2; pairs > 0; pairs--) {
            size_t k = random_below(n - 1);
            swap(&arr[k], &arr[k + 1]);
        }
    } else if (strcmp(order, "sorted")) {
        fprintf(stderr, "gen: there is no order called %s\n", order);
        return 1;
    }
    return fwrite(arr, sizeof(int), n, stdout) == n && fflush(stdout) == 0 ? 0 : 1;
}
