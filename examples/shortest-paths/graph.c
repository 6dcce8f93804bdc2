#include "graph.h"

#include <stdlib.h>

#define MOST_WEIGHT 1000000

uint64_t next_random(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

graph graph_new(int nodes) {
    graph g = {nodes, calloc((size_t)nodes, sizeof *g.first)};
    if (!g.first)
        abort();
    return g;
}

void graph_free(graph *g) {
    for (int v = 0; v < g->nodes; v++)
        for (edge *e = g->first[v], *next; e; e = next) {
            next = e->next;
            free(e);
        }
    free(g->first);
}

void graph_add(graph *g, int source, int target, long weight) {
    edge *e = malloc(sizeof *e);
    if (!e)
        abort();
    *e = (edge){g->first[source], weight, target};
    g->first[source] = e;
}

graph graph_random(int nodes, long edges, uint64_t seed) {
    graph g = graph_new(nodes);
    for (long i = 1; i <= edges; i++) {
        int target = (int)(i < nodes ? (uint64_t)i : next_random(&seed) % (uint64_t)nodes);
        int source = (int)(next_random(&seed) % (uint64_t)(i < nodes ? i : nodes));
        graph_add(&g, source, target, 1 + (long)(next_random(&seed) % MOST_WEIGHT));
    }
    return g;
}

graph graph_bipartite(int nodes, long edges, uint64_t seed) {
    graph g = graph_new(nodes);
    uint64_t half = (uint64_t)nodes / 2;
    for (long i = 0; i < edges; i++) {
        int source = (int)(next_random(&seed) % half), target = (int)(half + next_random(&seed) % half);
        graph_add(&g, source, target, 1 + (long)(next_random(&seed) % MOST_WEIGHT));
    }
    return g;
}
