/* Counts the matches of a pattern in a file with PCRE2, by interpretation and without its limits. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pcre2.h"

int main(int argc, char **argv) {
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (!file || fseek(file, 0, SEEK_END)) return 2;
    size_t size = ftell(file), at = 0, count = 0;
    unsigned char *text = malloc(size + 1);
    int error;
    PCRE2_SIZE offset;
    rewind(file);
    if (!text || fread(text, 1, size, file) != size) return 2;
    pcre2_code *code = pcre2_compile((PCRE2_SPTR)argv[1], PCRE2_ZERO_TERMINATED, 0, &error, &offset, NULL);
    if (!code) return 2;
    pcre2_match_data *found = pcre2_match_data_create_from_pattern(code, NULL);
    pcre2_match_context *context = pcre2_match_context_create(NULL);
    pcre2_set_match_limit(context, UINT32_MAX);
    pcre2_set_depth_limit(context, UINT32_MAX);
    while (at <= size && pcre2_match(code, text, size, at, 0, found, context) > 0) {
        PCRE2_SIZE end = pcre2_get_ovector_pointer(found)[1];
        at = end > at ? end : at + 1;
        count++;
    }
    printf("%zu\n", count);
    return 0;
}
