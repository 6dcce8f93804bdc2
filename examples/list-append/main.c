/* Parses a program and says how many statements it has.
 *
 *     ./parser FILE
 */
#include <stdio.h>
#include <stdlib.h>

#include "parser.h"

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "parser: cannot open %s\n", argc == 2 ? argv[1] : "a file: none was given");
        return 1;
    }
    fseek(file, 0, SEEK_END);
    size_t bytes = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(bytes + 1, 1);
    if (!text || fread(text, 1, bytes, file) != bytes) {
        fprintf(stderr, "parser: cannot read %s\n", argv[1]);
        return 1;
    }
    fclose(file);

    printf("bytes=%zu statements=%ld\n", bytes, parse_program(text));
    free(text);
    return 0;
}
