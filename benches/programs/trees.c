#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
struct tree { struct tree *left, *right; };
static struct tree *grown(int depth) {
    struct tree *tree = malloc(sizeof *tree);
    tree->left = depth ? grown(depth - 1) : NULL;
    tree->right = depth ? grown(depth - 1) : NULL;
    return tree;
}
static long felled(struct tree *tree) {
    if (!tree) return 0;
    long nodes = 1 + felled(tree->left) + felled(tree->right);
    free(tree);
    return nodes;
}
static void *work(void *depth) {
    long nodes = 0;
    for (int i = 0; i < 12; i++) nodes += felled(grown(*(int *)depth));
    return (void *)nodes;
}
int main(int count, char **words) {
    int threads = atoi(words[1]), depth = count > 2 ? atoi(words[2]) : 19;
    pthread_t all[64];
    for (int i = 1; i < threads; i++) pthread_create(&all[i], NULL, work, &depth);
    long nodes = (long)work(&depth);
    for (int i = 1; i < threads; i++) {
        void *more;
        pthread_join(all[i], &more);
        nodes += (long)more;
    }
    printf("%ld\n", nodes);
    return 0;
}
