#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile long sink;

static void work(long n) {
    for (long i = 0; i < n; i++) sink += i;
}

int main(int argc, char **argv) {
    long n = atol(argv[1]);
    if (fork() == 0) {
        setsid();
        if (fork() != 0) _exit(0);
        usleep(5000);
        work(n);
        exit(0);
    }
    if (fork() == 0) {
        setsid();
        char *none[] = {NULL};
        execle("/bin/sh", "sh", "-c", "sleep 0.02", argv[2], NULL, none);
    }
    work(n);
    usleep(10000);
    return 0;
}
