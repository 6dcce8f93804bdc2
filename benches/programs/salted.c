#include <stdint.h>
#include <stdlib.h>
#include <sys/random.h>

static uint64_t state;
static uint64_t drawn(void) { return state = state * 6364136223846793005u + 1442695040888963407u, state >> 33; }

struct entry { uint64_t key; struct entry *next; };

/* A chained table of as many buckets as keys. */
static void fill(struct entry **table, struct entry *entries, long n, uint64_t salt) {
    for (long i = 0; i < n; i++) {
        uint64_t hash = ((uint64_t)i ^ salt) * 0x9e3779b97f4a7c15u;
        struct entry **last = &table[(hash >> 20) % (uint64_t)n];
        while (*last)
            last = &(*last)->next;
        entries[i] = (struct entry){i, 0};
        *last = &entries[i];
    }
}

static void quicksort(long *a, long n) {
    while (n > 1) {
        long pivot = a[drawn() % (uint64_t)n], i = 0, j = n - 1;
        while (i <= j) {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) { long t = a[i]; a[i++] = a[j]; a[j--] = t; }
        }
        quicksort(a, j + 1);
        a += i;
        n -= i;
    }
}

int main(int argc, char **argv) {
    long n = atol(argv[1]);
    uint64_t salt;
    if (getrandom(&state, sizeof state, 0) < 0 || getrandom(&salt, sizeof salt, 0) < 0) return 1;
    struct entry **table = calloc(n, sizeof *table), *entries = calloc(n, sizeof *entries);
    fill(table, entries, n, salt);
    long *a = malloc(n * sizeof *a);
    for (long i = 0; i < n; i++) a[i] = (long)(drawn() % (uint64_t)n);
    quicksort(a, n);
    return 0;
}
