/* Ukkonen's algorithm: reads the text once from left to right and keeps a
 * suffix tree of what was read, in time linear in the text.
 *
 * Three ideas make it linear:
 *  - a leaf's edge ends "wherever the text ends", so it grows by itself;
 *  - the suffixes that are not yet leaves are the `remaining` shortest ones, and
 *    the longest of them ends at the active point: in the node `active`, or
 *    `active_length` characters down its edge that begins with text[active_edge];
 *  - from there the next shorter suffix is one suffix link away.
 */
#include "suffix_tree.h"

#include <stdio.h>
#include <stdlib.h>

static suffix_tree tree;

/* The end of the text is a character that occurs nowhere else. */
static int character(int at) {
    return at < tree.length - 1 ? tree.text[at] : -1;
}

static int new_node(int start, int end) {
    int made = tree.node_count++;
    tree.nodes[made] = (tree_node){start, end, NONE, NONE, ROOT};
    return made;
}

static void add_child(int parent, int child) {
    tree.nodes[child].sibling = tree.nodes[parent].first_child;
    tree.nodes[parent].first_child = child;
    tree.edge_count++;
}

/* Where the reference to the child of `parent` that begins with text[at] is kept,
 * or a reference to NONE. */
static int *child_of(int parent, int at) {
    int *child = &tree.nodes[parent].first_child;
    while (*child != NONE && character(tree.nodes[*child].start) != character(at))
        child = &tree.nodes[*child].sibling;
    return child;
}

/* Puts an inner node `depth` characters down the edge to *child. */
static int split(int *child, int depth) {
    int below = *child;
    int made = new_node(tree.nodes[below].start, tree.nodes[below].start + depth);
    tree.nodes[made].sibling = tree.nodes[below].sibling;
    tree.nodes[made].first_child = below;
    tree.nodes[below].sibling = NONE;
    tree.nodes[below].start += depth;
    tree.edge_count++;
    *child = made;
    return made;
}

suffix_tree build_suffix_tree(const unsigned char *text, int length) {
    tree.text = text;
    tree.length = length + 1;
    /* At most a leaf for every suffix and one inner node fewer. */
    tree.nodes = malloc(2 * (size_t)tree.length * sizeof *tree.nodes);
    if (!tree.nodes) {
        fprintf(stderr, "suffix_tree: out of memory\n");
        exit(1);
    }
    new_node(0, 0);

    int active = ROOT, active_edge = 0, active_length = 0, remaining = 0;
    for (int at = 0; at < tree.length; at++) {
        int waiting_for_link = ROOT;
        remaining++;
        while (remaining > 0) {
            if (active_length == 0) active_edge = at;
            int *child = child_of(active, active_edge);
            if (*child == NONE) {
                add_child(active, new_node(at, tree.length));
                tree.nodes[waiting_for_link].suffix_link = active;
                waiting_for_link = ROOT;
            } else {
                int end = tree.nodes[*child].end < at + 1 ? tree.nodes[*child].end : at;
                int edge_length = end - tree.nodes[*child].start;
                if (active_length >= edge_length) { /* walk down the whole edge */
                    active = *child;
                    active_edge += edge_length;
                    active_length -= edge_length;
                    continue;
                }
                if (character(tree.nodes[*child].start + active_length) == character(at)) {
                    tree.nodes[waiting_for_link].suffix_link = active;
                    active_length++;
                    break; /* this suffix is in the tree, and so are all shorter ones */
                }
                int inner = split(child, active_length);
                add_child(inner, new_node(at, tree.length));
                tree.nodes[waiting_for_link].suffix_link = inner;
                waiting_for_link = inner;
            }
            remaining--;
            if (active != ROOT) {
                active = tree.nodes[active].suffix_link;
            } else if (active_length > 0) {
                active_length--;
                active_edge = at - remaining + 1;
            }
        }
    }
    tree.nodes[ROOT].suffix_link = ROOT;
    return tree;
}
