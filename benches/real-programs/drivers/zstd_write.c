/* Compresses a file at once with zstd, at its default level. */
#include <stdio.h>
#include <stdlib.h>

#include "zstd.h"

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END)) return 2;
    size_t size = ftell(file), bound = ZSTD_compressBound(size);
    char *text = malloc(size + 1), *out = malloc(bound);
    rewind(file);
    if (!text || !out || fread(text, 1, size, file) != size) return 2;
    size_t written = ZSTD_compress(out, bound, text, size, ZSTD_CLEVEL_DEFAULT);
    printf("%zu\n", written);
    return ZSTD_isError(written);
}
