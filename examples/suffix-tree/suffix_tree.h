/* A suffix tree of a text: a path from the root for every suffix.
 *
 * The text "abab$" ($ is the end, which is like no other character):
 *
 *     root ── ab ──┬── ab$     suffix 0
 *          │       └── $       suffix 2
 *          ├── b ──┬── ab$     suffix 1
 *          │       └── $       suffix 3
 *          └── $               suffix 4
 *
 * A node with several leaves below it spells a part of the text that occurs as
 * often as it has leaves.
 */
#ifndef SUFFIX_TREE_H
#define SUFFIX_TREE_H

typedef struct {
    int start, end;   /* the edge from the parent spells text[start .. end-1] */
    int first_child;  /* or NONE: a leaf */
    int sibling;      /* the parent's next child, or NONE */
    int suffix_link;  /* of an inner node that spells xS: the one that spells S */
} tree_node;

enum { NONE = -1, ROOT = 0 };

typedef struct {
    const unsigned char *text;
    int length;       /* of the text with its end */
    tree_node *nodes;
    int node_count, edge_count;
} suffix_tree;

/* Builds the tree of text[0 .. length-1] by Ukkonen's algorithm. */
suffix_tree build_suffix_tree(const unsigned char *text, int length);

#endif
