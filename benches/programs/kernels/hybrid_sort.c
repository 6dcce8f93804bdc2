// arguments: n=50..4000 buckets=2..32
// Sorts numbers by spreading them over buckets and merge sorting each bucket, and prints a checksum.
#include "trips.h"

struct buckets {
    int divisions;
    float lowest, highest;
    int *count, *offset;
};

// in terms of the arguments: listsize = n
__attribute__((noinline)) static void find_range(struct buckets *b, const float *list, int listsize) { CALL;
    b->lowest = b->highest = list[0];
    for (int i = 1; i < listsize; i++) { TRIP;
        if (list[i] < b->lowest) b->lowest = list[i];
        else if (list[i] > b->highest) b->highest = list[i];
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static int bucket_of(const struct buckets *b, float x) { CALL;
    float width = (b->highest - b->lowest) / b->divisions;
    int k = width > 0 ? (int)((x - b->lowest) / width) : 0;
    return k < b->divisions ? k : b->divisions - 1;
}

// in terms of the arguments: listsize = n, b->divisions = buckets
__attribute__((noinline)) static void bucket_sort(struct buckets *b, const float *list, float *out,
                                                  int listsize) { CALL;
    int *next = calloc(b->divisions + 1, sizeof(int));
    if (b->divisions < 1) {
        memcpy(out, list, listsize * sizeof(float));
        free(next);
        return;
    }
    for (int i = 0; i < listsize; i++) { TRIP;
        b->count[bucket_of(b, list[i])]++;
    }
    for (int k = 1; k < b->divisions; k++) { TRIP;
        b->offset[k] = b->offset[k - 1] + b->count[k - 1];
        next[k] = b->offset[k];
    }
    for (int i = 0; i < listsize; i++) { TRIP;
        out[next[bucket_of(b, list[i])]++] = list[i];
    }
    free(next);
}

// in terms of the arguments: differs
__attribute__((noinline)) static void merge(const float *a, float *out, int lo, int middle, int hi) { CALL;
    int i = lo, j = middle, k = lo;
    while (i < middle && j < hi) { TRIP;
        out[k++] = a[j] < a[i] ? a[j++] : a[i++];
    }
    while (i < middle) { TRIP;
        out[k++] = a[i++];
    }
    while (j < hi) { TRIP;
        out[k++] = a[j++];
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void merge_sort(float *a, float *spare, int length) { CALL;
    for (int width = 1; width < length; width *= 2) { TRIP;
        for (int lo = 0; lo < length; lo += 2 * width) { TRIP;
            int middle = lo + width < length ? lo + width : length;
            int hi = middle + width < length ? middle + width : length;
            merge(a, spare, lo, middle, hi);
        }
        memcpy(a, spare, length * sizeof(float));
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), buckets = atoi(argv[2]);
    float *list = calloc(n + 1, sizeof(float)), *sorted = calloc(n + 1, sizeof(float));
    float *spare = calloc(n + 1, sizeof(float));
    struct buckets b = {buckets, 0, 0, calloc(buckets + 1, sizeof(int)), calloc(buckets + 1, sizeof(int))};
    unsigned seed = 17;
    for (int i = 0; i < n; i++) { TRIP;
        list[i] = next_number(&seed) % 10000 * 0.01f;
    }
    find_range(&b, list, n);
    bucket_sort(&b, list, sorted, n);
    for (int k = 0; k < buckets; k++) { TRIP;
        merge_sort(sorted + b.offset[k], spare, b.count[k]);
    }
    double sum = 0.0;
    for (int i = 1; i < n; i++) { TRIP;
        if (buckets > 0 && sorted[i - 1] > sorted[i]) return 1;
        sum += i % 3 * sorted[i];
    }
    printf("%g\n", sum);
    return 0;
}
