#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int c, char **v) {
    long n = atol(strrchr(v[1], '-') + 1), rounds = atol(v[3]), pitch = n + 8;
    int by_rows = !strcmp(v[2], "rows");
    double *m = malloc(n * pitch * sizeof(double)), sum = 0;
    for (long i = 0; i < n * pitch; i++)
        m[i] = i;
    for (long r = 0; r < rounds; r++)
        for (long i = 0; i < n; i++)
            for (long j = 0; j < n; j++)
                sum += by_rows ? m[i * pitch + j] : m[j * pitch + i];
    return c < 4 || sum == 42;
}
