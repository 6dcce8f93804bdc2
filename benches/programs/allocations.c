#include <pthread.h>
#include <stdlib.h>
static long n;
static void *work(void *sum) {
    void *all[64] = {0};
    for (long i = 0; i < n; i++) {
        void **one = &all[i * 2654435761u >> 7 & 63];
        free(*one);
        *one = malloc(16 + (i & 255));
        *(volatile long *)sum += (long)*one;
    }
    return NULL;
}
int main(int count, char **words) {
    int threads = atoi(words[2]);
    /* Each in a cache line of its own. */
    struct { _Alignas(128) long sum; } of[64] = {0};
    pthread_t all[64];
    n = atol(words[1]) * 1000 / threads;
    for (int i = 1; i < threads; i++) pthread_create(&all[i], NULL, work, &of[i].sum);
    work(&of[0].sum);
    for (int i = 1; i < threads; i++) pthread_join(all[i], NULL);
    return count != 3;
}
