/* One run in which routines grow in every way that their charts can tell apart. No input has to be named: the probe
 * measures what each call read. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NEVER_INLINED __attribute__((noinline))

static unsigned state = 12345;

static unsigned random_below(unsigned n) {
    state = state * 1664525u + 1013904223u;
    return (unsigned)(((unsigned long long)state * n) >> 32);
}

static void swap(int *a, int *b) {
    int t = *a;
    *a = *b;
    *b = t;
}

/* n log n: the best, the average and the worst call are alike. */
NEVER_INLINED static void heapsort_ints(int *a, size_t n) {
    for (size_t end = n, start = n / 2; end > 1;) {
        if (start > 0) {
            start--;
        } else {
            end--;
            swap(&a[0], &a[end]);
        }
        size_t root = start;
        for (size_t child; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end && a[child] < a[child + 1]) child++;
            if (a[root] >= a[child]) break;
            swap(&a[root], &a[child]);
        }
    }
}

/* n^2 at worst and n at best: what is sorted already costs nothing. */
NEVER_INLINED static void insertion_sort(int *a, size_t n) {
    for (size_t i = 1; i < n; i++) {
        for (size_t j = i; j > 0 && a[j - 1] > a[j]; j--) swap(&a[j - 1], &a[j]);
    }
}

struct table {
    int *items;
    size_t length, capacity;
};

/* Mostly 1, and n where the table grows: amortized 1. */
NEVER_INLINED static void push(struct table *t, int item) {
    if (t->length == t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : 8;
        int *items = malloc(capacity * sizeof *items);
        for (size_t i = 0; i < t->length; i++) items[i] = t->items[i];
        free(t->items);
        t->items = items;
        t->capacity = capacity;
    }
    t->items[t->length++] = item;
}

struct node {
    int id, weight;
    struct node *next;
};

static struct node *list_of(size_t n) {
    struct node *list = NULL;
    for (size_t i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        *node = (struct node){(int)i, (int)random_below(100), list};
        list = node;
    }
    return list;
}

static void free_list(struct node *list) {
    for (struct node *next; list; list = next) {
        next = list->next;
        free(list);
    }
}

/* n^2: for every node of one list it looks through the other. */
NEVER_INLINED static long merge_lists(struct node *a, const struct node *b) {
    long common = 0;
    for (; a; a = a->next) {
        for (const struct node *other = b; other; other = other->next) {
            if (other->id == a->id) {
                a->weight += other->weight;
                common++;
                break;
            }
        }
    }
    return common;
}

int main(void) {
    enum { LARGEST = 20000 };
    int *a = malloc(LARGEST * sizeof *a);
    /* Most arrays have about 200 items, as in many programs, and a few are large. */
    for (int call = 0; call < 600; call++) {
        size_t n = call % 20 ? 150 + random_below(100) : 1u << (4 + random_below(11));
        for (size_t i = 0; i < n; i++) a[i] = (int)random_below(1000000);
        heapsort_ints(a, n);
    }
    for (size_t n = 8; n <= 1024; n = n * 5 / 4) {
        for (int disorder = 0; disorder < 4; disorder++) {
            for (size_t i = 0; i < n; i++) a[i] = disorder ? (int)random_below(1000000) : (int)i;
            insertion_sort(a, n);
        }
    }
    struct table table = {0};
    for (int i = 0; i < 100000; i++) push(&table, i);
    long common = 0;
    for (size_t n = 4; n <= 1000; n = n * 5 / 4 + 1) {
        struct node *x = list_of(n), *y = list_of(n);
        common += merge_lists(x, y);
        free_list(x);
        free_list(y);
    }
    printf("%d %zu %ld\n", a[0], table.length, common);
    free(table.items);
    free(a);
    return 0;
}
