/* Sorts a file of ints and prints what became of it.
 *
 *     ./bubble_sort FILE
 *
 * FILE holds ints as the machine stores them, nothing else; `gen` writes one.
 * Nothing here loops over the array, so the only counts that grow with the
 * input are those of bubble_sort.c.
 */
#include <stdio.h>
#include <stdlib.h>

void bubble_sort(int n, int *arr);

static void fail(const char *what, const char *path) {
    fprintf(stderr, "bubble_sort: %s: %s\n", what, path);
    exit(1);
}

int main(int argc, char **argv) {
    if (argc != 2) fail("give me one file of ints", "no file");

    FILE *file = fopen(argv[1], "rb");
    if (!file || fseek(file, 0, SEEK_END)) fail("cannot open", argv[1]);
    long bytes = ftell(file);
    if (bytes < (long)sizeof(int)) fail("no ints in", argv[1]);
    rewind(file);

    size_t n = (size_t)bytes / sizeof(int);
    int *arr = malloc(n * sizeof(int));
    if (!arr || fread(arr, sizeof(int), n, file) != n) fail("cannot read", argv[1]);
    fclose(file);

    bubble_sort((int)n, arr);

    printf("n=%zu least=%d middle=%d greatest=%d\n", n, arr[0], arr[n / 2], arr[n - 1]);
    free(arr);
    return 0;
}
