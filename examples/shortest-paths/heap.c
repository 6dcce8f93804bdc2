#include "heap.h"

#include <stdlib.h>

long heap_most;

/* Among the roots, to the right of the least one. */
void heap_add_root(heap *h, heap_node *x) {
    x->parent = 0;
    if (!h->least) {
        h->least = x->left = x->right = x;
        return;
    }
    x->left = h->least;
    x->right = h->least->right;
    x->right->left = x;
    h->least->right = x;
    if (x->key < h->least->key)
        h->least = x;
}

heap_node *heap_insert(heap *h, long key, int item) {
    heap_node *x = malloc(sizeof *x);
    if (!x)
        abort();
    *x = (heap_node){.key = key, .item = item};
    if (++h->count > heap_most)
        heap_most = h->count;
    heap_add_root(h, x);
    return x;
}

/* Makes roots of a ring of children. */
static void heap_free_children(heap_node *first) {
    heap_node *x = first;
    do {
        x->parent = 0;
        x->mark = 0;
        x = x->right;
    } while (x != first);
}

/* One of two roots becomes a child of the other, which has the lesser key. */
static heap_node *heap_link(heap_node *x, heap_node *y) {
    if (y->key < x->key) {
        heap_node *other = x;
        x = y;
        y = other;
    }
    y->parent = x;
    y->mark = 0;
    if (x->child) {
        y->left = x->child;
        y->right = x->child->right;
        y->right->left = y;
        x->child->right = y;
    } else {
        x->child = y->left = y->right = y;
    }
    x->degree++;
    return x;
}

/* Makes roots of what is in the table of trees. */
static void heap_collect(heap *h, heap_node **trees, int highest) {
    h->least = 0;
    for (int degree = 0; degree <= highest; degree++)
        if (trees[degree])
            heap_add_root(h, trees[degree]);
}

int heap_delete_min(heap *h) {
    heap_node *trees[HEAP_DEGREES] = {0}, *least = h->least, *last = least->left;
    int item = least->item, highest = 0;
    /* One ring of the other roots and of the children; it ends at the least. */
    if (least->child) {
        heap_node *first = least->child, *end = first->left;
        heap_free_children(first);
        first->left = last;
        last->right = first;
        end->right = least;
    }
    for (heap_node *x = least->right, *next; x != least; x = next) {
        next = x->right;
        while (trees[x->degree]) {
            heap_node *y = trees[x->degree];
            trees[x->degree] = 0;
            x = heap_link(x, y);
        }
        trees[x->degree] = x;
        if (x->degree > highest)
            highest = x->degree;
    }
    heap_collect(h, trees, highest);
    h->count--;
    free(least);
    return item;
}

/* Takes a node that is no root from its parent. */
void heap_cut(heap *h, heap_node *x) {
    heap_node *parent = x->parent;
    if (x->right == x) {
        parent->child = 0;
    } else {
        x->left->right = x->right;
        x->right->left = x->left;
        if (parent->child == x)
            parent->child = x->right;
    }
    parent->degree--;
    x->mark = 0;
    heap_add_root(h, x);
}

void heap_decrease(heap *h, heap_node *x, long key) {
    x->key = key;
    heap_node *parent = x->parent;
    if (!parent) {
        if (key < h->least->key)
            h->least = x;
        return;
    }
    if (parent->key <= key)
        return;
    for (;;) {
        heap_cut(h, x);
        x = parent;
        parent = x->parent;
        if (!parent)
            return;
        if (!x->mark) {
            x->mark = 1;
            return;
        }
    }
}

static void destroy(heap_node *first) {
    heap_node *x = first;
    do {
        heap_node *next = x->right;
        if (x->child)
            destroy(x->child);
        free(x);
        x = next;
    } while (x != first);
}

void heap_destroy(heap *h) {
    if (h->least)
        destroy(h->least);
    *h = (heap){0};
}
