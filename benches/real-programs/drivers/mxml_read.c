/* Reads an XML file with Mini-XML and counts its nodes. */
#include <stdio.h>

#include "mxml.h"

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    size_t count = 0;
    mxml_node_t *tree = file ? mxmlLoadFile(NULL, file, MXML_OPAQUE_CALLBACK) : NULL;
    if (!tree) return 1;
    for (mxml_node_t *node = tree; node; node = mxmlWalkNext(node, tree, MXML_DESCEND)) count++;
    printf("%zu\n", count);
    mxmlDelete(tree);
    return fclose(file);
}
