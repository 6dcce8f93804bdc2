#include "paths.h"

#include <limits.h>
#include <stdlib.h>

long *shortest_paths(const graph *g, int source) {
    size_t nodes = (size_t)g->nodes;
    long *distance = malloc(nodes * sizeof *distance);
    heap_node **queued = malloc(nodes * sizeof *queued);
    if (!distance || !queued)
        abort();
    for (int v = 0; v < g->nodes; v++) {
        distance[v] = LONG_MAX;
        queued[v] = 0;
    }
    heap h = {0};
    distance[source] = 0;
    queued[source] = heap_insert(&h, 0, source);
    while (h.count) {
        int v = heap_delete_min(&h);
        for (const edge *e = g->first[v]; e; e = e->next) {
            long through = distance[v] + e->weight;
            if (through >= distance[e->target])
                continue;
            if (distance[e->target] == LONG_MAX)
                queued[e->target] = heap_insert(&h, through, e->target);
            else
                heap_decrease(&h, queued[e->target], through);
            distance[e->target] = through;
        }
    }
    free(queued);
    return distance;
}
