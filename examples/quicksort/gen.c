/* Writes N random ints to standard output, the same ones for the same SEED on
 * every machine.
 *
 *     ./gen N SEED > input
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
    if (argc != 3) {
        fprintf(stderr, "usage: gen N SEED\n");
        return 1;
    }
    uint64_t n = strtoull(argv[1], NULL, 10);
    uint64_t state = strtoull(argv[2], NULL, 10) * 1000003u + n;
    for (uint64_t k = 0; k < n; k++) {
        int value = (int)(random_u64(&state) >> 33);
        if (fwrite(&value, sizeof value, 1, stdout) != 1) return 1;
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
