/* Sorts a file of ints with a quicksort and prints what became of it.
 *
 *     ./quicksort FILE
 */
#include <stdio.h>
#include <stdlib.h>

/* The median of the first, the middle and the last of arr[low .. high]. */
static int pivot_of(const int *arr, long low, long high) {
    int a = arr[low], b = arr[low + (high - low) / 2], c = arr[high];
    if (a > b) {
        int swapped = a;
        a = b;
        b = swapped;
    }
    if (c < a) return a;
    return c < b ? c : b;
}

/* Hoare's scheme: sorts arr[low .. high]. The two scans are the compares. */
static void quicksort(int *arr, long low, long high) {
    while (low < high) {
        int pivot = pivot_of(arr, low, high);
        long i = low - 1, j = high + 1;
        for (;;) {
            do i++;
            while (arr[i] < pivot);
            do j--;
            while (arr[j] > pivot);
            if (i >= j) break;
            int swapped = arr[i];
            arr[i] = arr[j];
            arr[j] = swapped;
        }
        /* The smaller part first, so that the stack stays shallow. */
        if (j - low < high - j - 1) {
            quicksort(arr, low, j);
            low = j + 1;
        } else {
            quicksort(arr, j + 1, high);
            high = j;
        }
    }
}

static void fail(const char *what, const char *path) {
    fprintf(stderr, "quicksort: %s: %s\n", what, path);
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

    quicksort(arr, 0, (long)n - 1);

    printf("n=%zu least=%d middle=%d greatest=%d\n", n, arr[0], arr[n / 2], arr[n - 1]);
    free(arr);
    return 0;
}
