/* Compresses a file at once with Brotli, at quality 5. */
#include <stdio.h>
#include <stdlib.h>

#include "brotli/encode.h"

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END)) return 2;
    size_t size = ftell(file), written = BrotliEncoderMaxCompressedSize(size);
    unsigned char *text = malloc(size + 1), *out = malloc(written);
    rewind(file);
    if (!text || !out || fread(text, 1, size, file) != size) return 2;
    if (!BrotliEncoderCompress(5, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, size, text, &written, out)) return 1;
    printf("%zu\n", written);
    return 0;
}
