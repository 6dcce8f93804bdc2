/* Reads JSON with cJSON, adds up the ids in it and writes it: `index` asks for each item of the array by its number, which
 * cJSON counts off from the first; `link` goes from one item to the next. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"

static char *read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END)) return NULL;
    long size = ftell(file);
    char *text = calloc(size + 1, 1);
    rewind(file);
    if (!text || fread(text, 1, size, file) != (size_t)size) return NULL;
    fclose(file);
    return text;
}

static double id(const cJSON *item) { return cJSON_GetObjectItem(item, "id")->valuedouble; }

int main(int argc, char **argv) {
    char *text = argc == 3 ? read_file(argv[2]) : NULL;
    cJSON *list = text ? cJSON_Parse(text) : NULL, *item;
    double sum = 0;
    if (!list) return 1;
    if (strcmp(argv[1], "index") == 0) {
        int length = cJSON_GetArraySize(list);
        for (int i = 0; i < length; i++) sum += id(cJSON_GetArrayItem(list, i));
    } else {
        cJSON_ArrayForEach(item, list) sum += id(item);
    }
    char *written = cJSON_Print(list);
    printf("%.0f %zu\n", sum, strlen(written));
    free(written);
    cJSON_Delete(list);
    free(text);
    return 0;
}
