#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef CHILDREN
#define CHILDREN 1
#endif

static long pairs(long n) {
    long found = 0;
    for (long i = 0; i < n; i++)
        for (long j = i; j < n; j++)
            found += (i ^ j) & 1;
    return found;
}

int main(int argc, char **argv) {
    long n = argc > 1 ? atol(argv[1]) : 0;
    for (int i = 0; i < CHILDREN; i++)
        if (fork() == 0) {
            int *copy = calloc(n, sizeof *copy);
            exit(pairs(n / 2) < 0 || copy[n / 2]);
        }
    long found = pairs(n);
    for (int i = 0; i < CHILDREN; i++) {
        int status = 0;
        if (wait(&status) < 0 || status != 0) return 1;
    }
    printf("found=%ld\n", found);
    return 0;
}
