// arguments: n=20..4000 order=1..16 queries=10..1000 span=1..20
// Builds a search tree in arrays over sorted keys and answers point and range queries in it.
#include "trips.h"

#define MAX_LEVELS 32

struct level {
    int count;
    int *keys;
};

struct tree {
    int height, fanout;
    struct level levels[MAX_LEVELS];
};

// in terms of the arguments: t->fanout = order + 2
__attribute__((noinline)) static void build(struct tree *t, int n, int order) { CALL;
    unsigned seed = 3;
    t->fanout = order + 2;
    t->height = 1;
    t->levels[0].count = n;
    t->levels[0].keys = calloc(n + 1, sizeof(int));
    for (int i = 1; i < n; i++) { TRIP;
        t->levels[0].keys[i] = t->levels[0].keys[i - 1] + 1 + next_number(&seed) % 5;
    }
    while (t->levels[t->height - 1].count > t->fanout) { TRIP;
        struct level *below = &t->levels[t->height - 1], *above = below + 1;
        above->count = (below->count + t->fanout - 1) / t->fanout;
        above->keys = calloc(above->count + 1, sizeof(int));
        for (int i = 0; i < above->count; i++) { TRIP;
            above->keys[i] = below->keys[i * t->fanout];
        }
        t->height++;
    }
}

// Returns the place of the last key that is not above the wanted one.
// in terms of the arguments: differs
__attribute__((noinline)) static int place(const int *keys, int lo, int hi, int wanted) { CALL;
    while (hi - lo > 1) { TRIP;
        int middle = lo + (hi - lo) / 2;
        if (keys[middle] <= wanted) lo = middle;
        else hi = middle;
    }
    return lo;
}

// in terms of the arguments: differs
__attribute__((noinline)) static int find(const struct tree *t, int wanted) { CALL;
    int lo = 0, hi = t->levels[t->height - 1].count;
    for (int l = t->height - 1; l > 0; l--) { TRIP;
        int child = place(t->levels[l].keys, lo, hi, wanted);
        lo = child * t->fanout;
        hi = lo + t->fanout < t->levels[l - 1].count ? lo + t->fanout : t->levels[l - 1].count;
    }
    return place(t->levels[0].keys, lo, hi, wanted);
}

// in terms of the arguments: differs
__attribute__((noinline)) static int count_range(const struct tree *t, int first, int last) { CALL;
    const struct level *leaves = &t->levels[0];
    int found = 0;
    for (int i = find(t, first); i < leaves->count; i++) { TRIP;
        if (leaves->keys[i] > last) break;
        if (leaves->keys[i] >= first) found++;
    }
    return found;
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), order = atoi(argv[2]), queries = atoi(argv[3]), span = atoi(argv[4]);
    struct tree t;
    unsigned seed = 5;
    build(&t, n, order);
    int largest = t.levels[0].keys[n > 0 ? n - 1 : 0];
    double sum = 0.0;
    for (int q = 0; q < queries; q++) { TRIP;
        int wanted = next_number(&seed) % (largest + 1);
        int at = find(&t, wanted);
        if (t.levels[0].keys[at] == wanted) sum += at;
        if (q % 4 == 0) sum += count_range(&t, wanted, wanted + span);
    }
    for (int l = 0; l < t.height; l++) { TRIP;
        sum += t.levels[l].count;
        free(t.levels[l].keys);
    }
    printf("%g\n", sum);
    return 0;
}
