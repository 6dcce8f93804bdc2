/* A Fibonacci heap, as Finkler and Mehlhorn predicted the time of. */
#ifndef HEAP_H
#define HEAP_H

typedef struct heap_node {
    struct heap_node *parent, *child, *left, *right;
    long key;
    int item, degree, mark;
} heap_node;

/* No heap of memory that there is has a node of a higher degree. */
#define HEAP_DEGREES 64

typedef struct heap {
    heap_node *least;
    long count;
} heap;

heap_node *heap_insert(heap *h, long key, int item);
int heap_delete_min(heap *h);
void heap_decrease(heap *h, heap_node *x, long key);
void heap_destroy(heap *h);

/* As many elements as a heap ever had. */
extern long heap_most;

/* What the operations above are made of. */
void heap_add_root(heap *h, heap_node *x);
void heap_cut(heap *h, heap_node *x);

#endif
