#ifndef PATHS_H
#define PATHS_H

#include "graph.h"
#include "heap.h"

/* The distance of each node from the source, which has to be 0; LONG_MAX where it cannot be reached. */
long *shortest_paths(const graph *g, int source);

/* The mate of each node, or -1, in a matching of the greatest weight; edges lead from the first half of the nodes to the
   second one. */
int *heaviest_matching(const graph *g);

#endif
