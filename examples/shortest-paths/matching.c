/* The heaviest matching in a bipartite graph, by the method of Mehlhorn and Näher (LEDA, 1999, section 7.8). */
#include "paths.h"

#include <stdlib.h>

typedef struct state {
    const graph *g;
    long *potential, *distance;
    int *mate, *before; /* of nodes of the second half: from where they were reached */
    heap_node **queued;
    int *reached; /* nodes of either half */
    int reached_count;
    heap h;
} state;

static void reach(state *s, int v, long distance) {
    s->distance[v] = distance;
    s->reached[s->reached_count++] = v;
}

static void relax(state *s, int a) {
    for (const edge *e = s->g->first[a]; e; e = e->next) {
        int b = e->target;
        if (s->mate[a] == b)
            continue;
        long through = s->distance[a] + s->potential[a] + s->potential[b] - e->weight;
        if (s->before[b] < 0) {
            reach(s, b, through);
            s->queued[b] = heap_insert(&s->h, through, b);
        } else if (through < s->distance[b]) {
            s->distance[b] = through;
            heap_decrease(&s->h, s->queued[b], through);
        } else {
            continue;
        }
        s->before[b] = a;
    }
}

/* Gives each node of the second half on the way that ends here to the one that it was reached from. */
static void augment(state *s, int b) {
    while (b >= 0) {
        int a = s->before[b], next = s->mate[a];
        s->mate[a] = b;
        s->mate[b] = a;
        b = next;
    }
}

/* Looks for the best way to match a node of the first half, and goes it. */
static void match(state *s, int start) {
    int best = start, a = start;
    long least = s->potential[start], delta;
    s->reached_count = 0;
    reach(s, start, 0);
    for (;;) {
        relax(s, a);
        int b = s->h.count ? heap_delete_min(&s->h) : -1;
        if (b < 0 || s->distance[b] >= least) {
            /* The best one stays free; all on the way to it get another mate. */
            delta = least;
            b = s->mate[best];
            s->mate[best] = -1;
            augment(s, b);
            break;
        }
        if (s->mate[b] < 0) {
            delta = s->distance[b];
            augment(s, b);
            break;
        }
        a = s->mate[b];
        reach(s, a, s->distance[b]);
        if (s->distance[a] + s->potential[a] < least) {
            best = a;
            least = s->distance[a] + s->potential[a];
        }
    }
    for (int i = 0; i < s->reached_count; i++) {
        int v = s->reached[i];
        long change = delta - s->distance[v];
        s->before[v] = -1;
        if (change > 0)
            s->potential[v] += v < s->g->nodes / 2 ? -change : change;
    }
    heap_destroy(&s->h);
}

int *heaviest_matching(const graph *g) {
    size_t nodes = (size_t)g->nodes;
    state s = {.g = g,
               .potential = calloc(nodes, sizeof(long)),
               .distance = calloc(nodes, sizeof(long)),
               .mate = malloc(nodes * sizeof(int)),
               .before = malloc(nodes * sizeof(int)),
               .queued = calloc(nodes, sizeof(heap_node *)),
               .reached = malloc(nodes * sizeof(int))};
    if (!s.potential || !s.distance || !s.mate || !s.before || !s.queued || !s.reached)
        abort();
    for (int v = 0; v < g->nodes; v++) {
        s.mate[v] = s.before[v] = -1;
        for (const edge *e = g->first[v]; e; e = e->next)
            if (s.potential[v] < e->weight)
                s.potential[v] = e->weight;
    }
    for (int v = 0; v < g->nodes / 2; v++)
        match(&s, v);
    free(s.potential);
    free(s.distance);
    free(s.before);
    free(s.queued);
    free(s.reached);
    return s.mate;
}
