/* Writes N random ints, each from 0 to BELOW - 1, to standard output: the same
 * ones for the same arguments on every machine.
 *
 *     ./gen N BELOW > input
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* SplitMix64: a counter, scrambled. */
static uint64_t random_u64(uint64_t *state) {
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

int main(int argc, char **argv) {
    uint64_t n = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
    uint64_t below = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
    if (n == 0 || below == 0 || below > (UINT64_C(1) << 31)) {
        fprintf(stderr, "usage: gen N BELOW, with BELOW at most 2147483648\n");
        return 1;
    }
    uint64_t state = below * 1000003u + n;
    for (uint64_t k = 0; k < n; k++) {
        int value = (int)((random_u64(&state) >> 33) % below);
        if (fwrite(&value, sizeof value, 1, stdout) != 1) return 1;
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
