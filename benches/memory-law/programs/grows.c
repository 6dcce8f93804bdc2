// Allocates memory that grows by the law in the first argument, at the size in the second.
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void take(double bytes) {
    volatile char *p = malloc((size_t)bytes + 1);
    if (!p) exit(3);
    for (size_t i = 0; i < (size_t)bytes; i += 4096) p[i] = 1;
}

int main(int count, char **words) {
    double n = atof(words[2]), capacity = 1;
    if (!strcmp(words[1], "log")) take(3 * n * log2(n));
    if (!strcmp(words[1], "power")) take(0.15 * n * sqrt(n));
    if (!strcmp(words[1], "square")) take(n * n * 0.001);
    if (!strcmp(words[1], "line-and-square")) { take(40 * n); take(n * n * 0.0001); }
    if (!strcmp(words[1], "constant-and-square")) { take(20e6); take(n * n * 0.0005); }
    if (!strcmp(words[1], "pieces")) for (double i = 1; i <= n; i += 400) take(i * 0.2);
    if (!strcmp(words[1], "arrays")) { while (capacity < n) capacity *= 2; take(capacity * n * 0.0006); }
    return count == 0;
}
