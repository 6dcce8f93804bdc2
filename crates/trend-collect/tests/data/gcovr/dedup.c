#include <stdio.h>
#include <stdlib.h>

static int has(const long *items, long count, long x)
{
    for (long i = 0; i < count; i++) {
        if (items[i] == x)
            return 1;
    }
    return 0;
}

static long unique(const long *items, long count, long *seen)
{
    long found = 0;
    for (long i = 0; i < count; i++) {
        if (!has(seen, found, items[i]))
            seen[found++] = items[i];
    }
    return found;
}

int main(int argc, char **argv)
{
    long n = argc > 1 ? atol(argv[1]) : 100;
    long *items = malloc(2 * n * sizeof *items);
    for (long i = 0; i < n; i++)
        items[i] = i * 7919 % n;
    printf("%ld\n", unique(items, n, items + n));
    free(items);
    return 0;
}
