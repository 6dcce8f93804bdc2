#include <stddef.h>

#include "parser.h"

static node *last_node(node *n) {
    if (!n) return NULL;
    while (n->next)
        n = n->next;
    return n;
}

node *append(node *list, node *added) {
    node *last = last_node(list);
    if (!last) return added;
    last->next = added;
    return list;
}
