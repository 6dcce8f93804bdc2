/* Usage: paths heap|dijkstra|matching NODES EDGES SEED */
#include "paths.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As many inserts, decreases of random keys and, at last, deletions as said; gives a sum of what came out. */
static long heap_alone(long inserts, long decreases, uint64_t seed) {
    heap h = {0};
    heap_node **nodes = malloc((size_t)inserts * sizeof *nodes);
    if (!nodes)
        abort();
    for (long i = 0; i < inserts; i++)
        nodes[i] = heap_insert(&h, (long)(next_random(&seed) << 20), (int)i);
    nodes[heap_delete_min(&h)] = 0;
    for (long i = 0; i < decreases; i++) {
        heap_node *x = nodes[next_random(&seed) % (uint64_t)inserts];
        if (x)
            heap_decrease(&h, x, x->key - (long)(next_random(&seed) % (uint64_t)(x->key / 8 + 1)));
    }
    long sum = 0;
    for (long i = 1; h.count; i++)
        sum += i * (heap_delete_min(&h) % 1000);
    free(nodes);
    return sum;
}

int main(int argc, char **argv) {
    if (argc != 5)
        return 2;
    int nodes = atoi(argv[2]);
    long edges = atol(argv[3]), sum = 0;
    uint64_t seed = strtoull(argv[4], 0, 10);
    if (nodes < 2 || edges < 0)
        return 2;
    if (strcmp(argv[1], "heap") == 0) {
        sum = heap_alone(nodes, edges, seed);
    } else if (strcmp(argv[1], "dijkstra") == 0) {
        graph g = graph_random(nodes, edges, seed);
        long *distance = shortest_paths(&g, 0);
        for (int v = 0; v < nodes; v++)
            sum += distance[v] == LONG_MAX ? 0 : distance[v];
    } else if (strcmp(argv[1], "matching") == 0) {
        graph g = graph_bipartite(nodes, edges, seed);
        int *mate = heaviest_matching(&g);
        for (int v = 0; v < nodes / 2; v++) {
            long best = 0;
            for (const edge *e = g.first[v]; e; e = e->next)
                if (e->target == mate[v] && e->weight > best)
                    best = e->weight;
            sum += best;
        }
    } else {
        return 2;
    }
    printf("%ld, at most %ld in the heap\n", sum, heap_most);
    return 0;
}
