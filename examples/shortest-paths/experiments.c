/* The fragments of heap.c, graph.c, dijkstra.c and matching.c, one after the other, on data as the programs have them. */
#include "paths.h"
#include "trend_fragment.h"

#include <limits.h>
#include <malloc.h>
#include <sys/mman.h>

/* An array of so many, all of which the kernel has given already: what was never written to is one page of zeros. */
static void *array(uint64_t count, size_t bytes) {
    void *data = malloc(count * bytes);
    if (!data)
        abort();
    trend_black_hole(data);
    memset(data, 0, count * bytes);
    return data;
}

/* Nodes with random keys, in an order that is not that of their addresses. */
static heap_node **nodes_of(uint64_t count, uint64_t *seed) {
    heap_node **nodes = array(count, sizeof *nodes);
    for (uint64_t i = 0; i < count; i++) {
        nodes[i] = array(1, sizeof **nodes);
        nodes[i]->key = (long)(next_random(seed) << 20);
    }
    for (uint64_t i = count - 1; i > 0; i--) {
        uint64_t j = next_random(seed) % (i + 1);
        heap_node *other = nodes[i];
        nodes[i] = nodes[j];
        nodes[j] = other;
    }
    return nodes;
}

/* A heap of such nodes, all of them roots. */
static heap heap_of(heap_node **nodes, uint64_t count) {
    heap h = {0};
    for (uint64_t i = 0; i < count; i++) {
        nodes[i]->child = 0;
        nodes[i]->degree = nodes[i]->mark = 0;
        heap_add_root(&h, nodes[i]);
    }
    h.count = (long)count;
    return h;
}

/* Into memory that was used before; what the kernel takes for other memory is `page`. */
static void insert(trend_run *run) {
    uint64_t seed = 1;
    heap h = {0};
    heap_node **nodes = array(run->elements, sizeof *nodes);
    while (trend_begin(run)) {
        for (uint64_t i = 0; i < run->elements; i++)
            nodes[i] = heap_insert(&h, (long)(next_random(&seed) << 20), (int)i);
        trend_end(run, run->elements);
        heap_destroy(&h);
    }
}

/* The kernel gives memory, page by page, and takes it back. */
static void page(trend_run *run) {
    enum { PAGE = 4096, PAGES = 1024 };
    while (trend_begin(run)) {
        for (uint64_t r = 0; r < run->repetitions; r++) {
            char *memory = mmap(0, PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
            if (memory == MAP_FAILED)
                abort();
            for (int i = 0; i < PAGES; i++)
                memory[i * PAGE] = 1;
            munmap(memory, PAGES * PAGE);
        }
        trend_end(run, run->repetitions * PAGES);
    }
}

/* Elements that were inserted one after the other, with the keys that come next. */
static heap heap_filled(uint64_t count, uint64_t *seed, heap_node **nodes) {
    heap h = {0};
    for (uint64_t i = 0; i < count; i++)
        nodes[i] = heap_insert(&h, (long)(next_random(seed) << 20), (int)i);
    return h;
}

/* All elements are taken out of a heap. What was executed is counted in links: each child of what is taken out was linked
   once. A deletion and its loops are one fragment, as these follow each other. */
static void sift(trend_run *run) {
    heap_node **nodes = array(run->elements, sizeof *nodes);
    uint64_t links = 0, seed = 1;
    heap h = heap_filled(run->elements, &seed, nodes);
    while (h.count) {
        links += (uint64_t)h.least->degree;
        heap_delete_min(&h);
    }
    for (;;) {
        seed = 1;
        h = heap_filled(run->elements, &seed, nodes);
        if (!trend_begin(run))
            return;
        while (h.count)
            heap_delete_min(&h);
        trend_end(run, links);
    }
}

/* Keys of random nodes become less, and not so much that these have to be cut. */
static void decrease(trend_run *run) {
    uint64_t seed = 1, count = run->elements + 1;
    heap_node **nodes = array(count, sizeof *nodes);
    heap h = heap_filled(count, &seed, nodes);
    int item = heap_delete_min(&h);
    nodes[item] = nodes[(item + 1) % (int)count];
    while (trend_begin(run)) {
        for (uint64_t r = 0; r < run->repetitions; r++) {
            heap_node *x = nodes[next_random(&seed) % count];
            heap_decrease(&h, x, x->key - 1);
        }
        trend_end(run, run->repetitions);
    }
}

/* Random nodes are cut from parents with eight children each. */
static void cut(trend_run *run) {
    uint64_t seed = 1, count = run->elements < 9 ? 9 : run->elements;
    heap_node **nodes = nodes_of(count, &seed);
    uint64_t parents = count / 9;
    for (;;) {
        heap h = heap_of(nodes, parents);
        for (uint64_t i = parents; i < 9 * parents; i++) {
            heap_node *x = nodes[i], *parent = nodes[i % parents];
            *x = (heap_node){.parent = parent, .key = x->key, .left = x, .right = x};
            if (parent->child) {
                x->left = parent->child;
                x->right = parent->child->right;
                x->right->left = x;
                parent->child->right = x;
            } else {
                parent->child = x;
            }
            parent->degree++;
        }
        if (!trend_begin(run))
            return;
        for (uint64_t i = parents; i < 9 * parents; i++)
            heap_cut(&h, nodes[i]);
        trend_end(run, 8 * parents);
    }
}

/* Four edges of each node, in memory that the kernel gives anew. */
static void edge_new(trend_run *run) {
    uint64_t seed = 1, nodes = run->elements / 4 + 1;
    while (trend_begin(run)) {
        graph g = graph_new((int)nodes);
        for (uint64_t i = 0; i < run->elements; i++) {
            int target = (int)(next_random(&seed) % nodes), source = (int)(next_random(&seed) % nodes);
            graph_add(&g, source, target, 1 + (long)(next_random(&seed) % 1000000));
        }
        trend_end(run, run->elements);
        graph_free(&g);
        /* The next graph gets memory that the kernel gives anew as well. */
        malloc_trim(0);
    }
}

/* Lists of edges whose addresses have nothing to do with their order: each can be read when the one before has come. */
static void follow(trend_run *run) {
    uint64_t seed = 1, nodes = run->elements / 100 + 1;
    graph g = graph_new((int)nodes);
    for (uint64_t i = 0; i < run->elements; i++)
        graph_add(&g, (int)(next_random(&seed) % nodes), 0, (long)i);
    long sum = 0;
    while (trend_begin(run)) {
        for (uint64_t r = 0; r < run->repetitions; r++)
            for (uint64_t v = 0; v < nodes; v++)
                for (const edge *e = g.first[v]; e; e = e->next)
                    sum += e->weight;
        trend_end(run, run->repetitions * run->elements);
        trend_black_hole(&sum);
    }
}

/* Whether the target of an edge is nearer now, of random targets; it never is. */
static void check(trend_run *run) {
    enum { EDGES = 1024 };
    uint64_t seed = 1;
    long *distance = array(run->elements, sizeof *distance), sum = 0;
    while (trend_begin(run)) {
        for (uint64_t r = 0; r < run->repetitions; r++)
            for (int i = 0; i < EDGES; i++) {
                long through = distance[next_random(&seed) % run->elements] - 1;
                if (through >= 0)
                    sum++;
            }
        trend_end(run, run->repetitions * EDGES);
        trend_black_hole(&sum);
    }
}

/* The arrays of an algorithm on a graph: made, filled and given back. */
static void node_new(trend_run *run) {
    while (trend_begin(run)) {
        for (uint64_t r = 0; r < run->repetitions; r++) {
            long *distance = malloc(run->elements * sizeof *distance);
            heap_node **queued = malloc(run->elements * sizeof *queued);
            if (!distance || !queued)
                abort();
            for (uint64_t v = 0; v < run->elements; v++) {
                distance[v] = LONG_MAX;
                queued[v] = 0;
            }
            trend_black_hole(distance);
            trend_black_hole(queued);
            free(distance);
            free(queued);
        }
        trend_end(run, run->repetitions * run->elements);
    }
}

/* What is known of random nodes of a bipartite graph changes a little. */
static void update(trend_run *run) {
    uint64_t seed = 1;
    long *potential = array(run->elements, sizeof *potential), *distance = array(run->elements, sizeof *distance);
    int *before = array(run->elements, sizeof *before);
    while (trend_begin(run)) {
        for (uint64_t r = 0; r < run->repetitions; r++) {
            uint64_t v = next_random(&seed) % run->elements;
            long change = 1 - distance[v];
            before[v] = -1;
            if (change > 0)
                potential[v] += v < run->elements / 2 ? -change : change;
        }
        trend_end(run, run->repetitions);
        trend_black_hole(potential);
    }
}

int main(int argc, char **argv) {
    static const trend_experiment experiments[] = {
        {"insert", 72, insert},
        {"page", 0, page},
        {"sift", 72, sift},
        {"decrease", 72, decrease},
        {"cut", 72, cut},
        {"edge_new", 34, edge_new},
        {"follow", 32, follow},
        {"check", 8, check},
        {"node_new", 16, node_new},
        {"update", 20, update},
    };
    return trend_experiments(argc, argv, experiments, sizeof experiments / sizeof *experiments);
}
