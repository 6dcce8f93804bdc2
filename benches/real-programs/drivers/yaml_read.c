/* Reads a YAML file with libyaml: `scan` splits it into tokens, `load` makes documents of it. */
#include <stdio.h>
#include <string.h>

#include "yaml.h"

int main(int argc, char **argv) {
    yaml_parser_t parser;
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    size_t count = 0;
    int more = 1;
    if (!file || !yaml_parser_initialize(&parser)) return 2;
    yaml_parser_set_input_file(&parser, file);
    while (more) {
        if (strcmp(argv[1], "scan") == 0) {
            yaml_token_t token;
            if (!yaml_parser_scan(&parser, &token)) break;
            more = token.type != YAML_STREAM_END_TOKEN;
            yaml_token_delete(&token);
            count++;
        } else {
            yaml_document_t document;
            if (!yaml_parser_load(&parser, &document)) return 1;
            more = yaml_document_get_root_node(&document) != NULL;
            count += document.nodes.top - document.nodes.start;
            yaml_document_delete(&document);
        }
    }
    printf("%zu\n", count);
    yaml_parser_delete(&parser);
    return fclose(file);
}
