/* Reads JSON with Jansson and writes it, objects in the order of their keys when `sorted`. */
#include <stdio.h>
#include <string.h>

#include "jansson.h"

int main(int argc, char **argv) {
    json_error_t error;
    json_t *root = argc == 3 ? json_load_file(argv[2], 0, &error) : NULL;
    if (!root) return 1;
    int failed = json_dumpf(root, stdout, strcmp(argv[1], "sorted") == 0 ? JSON_SORT_KEYS : 0);
    json_decref(root);
    return failed != 0;
}
