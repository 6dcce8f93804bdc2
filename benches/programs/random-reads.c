#include <stdlib.h>
int main(int c, char **v) {
    long n = atol(v[1]), sum = 0;
    unsigned *p = malloc(n * 16 * sizeof(unsigned)), at = 1;
    for (long i = 0; i < n * 16; i++)
        p[i] = i;
    for (long i = 0; i < n * 400; i++) {
        at = at * 1103515245 + 12345;
        sum += p[at % (n * 16)] ^ i;
    }
    return sum == 42;
}
