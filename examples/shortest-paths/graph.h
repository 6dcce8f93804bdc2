/* Directed graphs with adjacency lists. */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdint.h>

typedef struct edge {
    struct edge *next;
    long weight;
    int target;
} edge;

typedef struct graph {
    int nodes;
    edge **first; /* of each node */
} graph;

/* Numbers that look random; the same on every machine. */
uint64_t next_random(uint64_t *state);

graph graph_new(int nodes);
void graph_free(graph *g);
void graph_add(graph *g, int source, int target, long weight);

/* Every node can be reached from the first one. */
graph graph_random(int nodes, long edges, uint64_t seed);
/* Edges lead from the first half of the nodes to the second one. */
graph graph_bipartite(int nodes, long edges, uint64_t seed);

#endif
