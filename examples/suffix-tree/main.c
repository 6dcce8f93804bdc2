/* Finds the repeated parts of a text.
 *
 *     ./suffix_tree FILE [REPORT]
 *
 * Prints the size of the text's suffix tree, and writes every repeated part of
 * at least MINIMUM characters with the places where it occurs to REPORT.
 */
#include <stdio.h>
#include <stdlib.h>

#include "suffix_tree.h"

enum { MINIMUM = 16 };

static suffix_tree tree;
static FILE *report;
static long repeats, places;

/* Writes one place for every leaf below `node`, which spells `depth` characters. */
static void write_leaves(int node, int depth) {
    int child = tree.nodes[node].first_child;
    if (child == NONE) {
        fprintf(report, " %d", tree.length - depth);
        places++;
    }
    for (; child != NONE; child = tree.nodes[child].sibling)
        write_leaves(child, depth + tree.nodes[child].end - tree.nodes[child].start);
}

/* For a node that is deep enough: its leaves; then the same for its children. */
static void write_repeats(int node, int depth) {
    if (depth >= MINIMUM && tree.nodes[node].first_child != NONE) {
        int end = tree.nodes[node].end;
        fprintf(report, "%.*s\n at", MINIMUM, (const char *)tree.text + end - depth);
        repeats++;
        write_leaves(node, depth);
        fprintf(report, "\n");
    }
    for (int child = tree.nodes[node].first_child; child != NONE; child = tree.nodes[child].sibling)
        write_repeats(child, depth + tree.nodes[child].end - tree.nodes[child].start);
}

static void fail(const char *what, const char *path) {
    fprintf(stderr, "suffix_tree: %s: %s\n", what, path);
    exit(1);
}

int main(int argc, char **argv) {
    if (argc < 2 || argc > 3) fail("give me a text, and perhaps a report", "no file");

    FILE *file = fopen(argv[1], "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail("cannot open", argv[1]);
    long bytes = ftell(file);
    if (bytes < 1 || bytes > 500000000) fail("too short or too long", argv[1]);
    rewind(file);
    unsigned char *text = malloc((size_t)bytes + 1);
    if (!text || fread(text, 1, (size_t)bytes, file) != (size_t)bytes) fail("cannot read", argv[1]);
    fclose(file);

    const char *path = argc == 3 ? argv[2] : "/dev/null";
    report = fopen(path, "w");
    if (!report) fail("cannot write", path);

    tree = build_suffix_tree(text, (int)bytes);
    printf("chars=%ld nodes=%d edges=%d\n", bytes, tree.node_count, tree.edge_count);

    write_repeats(ROOT, 0);
    printf("repeats=%ld places=%ld\n", repeats, places);
    if (fclose(report)) fail("cannot write", path);
    free(tree.nodes);
    free(text);
    return 0;
}
