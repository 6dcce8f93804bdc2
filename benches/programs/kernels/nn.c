// arguments: records=40..3000 k=1..10 queries=1..10
// Finds the k places nearest to each query by scanning all records in windows, with a small list kept in order.
#include "trips.h"

#define WINDOW 10

struct record {
    float lat, lng;
};

struct neighbour {
    int entry;
    double dist;
};

// in terms of the arguments: differs
__attribute__((noinline)) static int min(int a, int b) { CALL;
    return a < b ? a : b;
}

// in terms of the arguments: num_records = records
__attribute__((noinline)) static void load(struct record *record, int num_records) { CALL;
    unsigned seed = 59;
    for (struct record *r = record; r != record + num_records; r++) { TRIP;
        r->lat = (next_number(&seed) % 18000) / 100.0f - 90.0f;
        r->lng = (next_number(&seed) % 36000) / 100.0f - 180.0f;
    }
}

__attribute__((noinline)) static void insert(struct neighbour *list, int k, struct neighbour found) { CALL;
    int at = k - 1;
    while (at > 0 && list[at - 1].dist > found.dist) { TRIP;
        list[at] = list[at - 1];
        at--;
    }
    list[at] = found;
}

// in terms of the arguments: num_records = records
__attribute__((noinline)) static void nearest(const struct record *record, int num_records, float lat, float lng,
                                              struct neighbour *list, int k) { CALL;
    double z[WINDOW];
    for (int i = 0; i < k; i++) { TRIP;
        list[i].entry = -1;
        list[i].dist = 1e30;
    }
    int done = 0, offset = 0;
    while (!done) { TRIP;
        int rec_count = min(WINDOW, num_records - offset);
        if (rec_count < WINDOW) done = 1;
        for (int i = 0; i < rec_count; i++) { TRIP;
            float a = record[offset + i].lat - lat, b = record[offset + i].lng - lng;
            z[i] = sqrt(a * a + b * b);
        }
        for (int i = 0; i < rec_count; i++) { TRIP;
            struct neighbour found = {offset + i, z[i]};
            if (k > 0 && z[i] < list[k - 1].dist) insert(list, k, found);
        }
        offset += WINDOW;
    }
}

int main(int argc, char **argv) {
    int records = atoi(argv[1]), k = atoi(argv[2]), queries = atoi(argv[3]);
    struct record *record = calloc(records + 1, sizeof(struct record));
    struct neighbour *list = calloc(k + 1, sizeof(struct neighbour));
    unsigned seed = 61;
    double sum = 0.0;
    load(record, records);
    for (int q = 0; q < queries; q++) { TRIP;
        float lat = next_number(&seed) % 180 - 90.0f, lng = next_number(&seed) % 360 - 180.0f;
        nearest(record, records, lat, lng, list, k);
        for (int i = 0; i < k; i++) { TRIP;
            if (list[i].entry < 0) break;
            sum += list[i].dist;
        }
    }
    printf("%g\n", sum);
    return 0;
}
