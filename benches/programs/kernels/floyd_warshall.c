// arguments: cities=4..140 roads=5..600
// Computes the lengths of the shortest paths between all cities.
#include "trips.h"

static int n, *distance;

// in terms of the arguments: n = cities
__attribute__((noinline)) static void build(int roads) { CALL;
    unsigned seed = 101;
    for (int i = 0; i < n; i++) { TRIP;
        for (int j = 0; j < n; j++) { TRIP;
            distance[i * n + j] = i == j ? 0 : 9999;
        }
    }
    for (int road = 0; road < roads; road++) { TRIP;
        if (n == 0) continue;
        int from = next_number(&seed) % n, to = next_number(&seed) % n;
        if (from != to) distance[from * n + to] = 1 + next_number(&seed) % 90;
    }
}

// in terms of the arguments: n = cities
__attribute__((noinline)) static void shorten(void) { CALL;
    for (int k = 0; k < n; k++) { TRIP;
        const int *through = distance + k * n;
        for (int i = 0; i < n; i++) { TRIP;
            int *row = distance + i * n;
            for (int j = 0; j < n; j++) { TRIP;
                if (row[k] + through[j] < row[j]) row[j] = row[k] + through[j];
            }
        }
    }
}

// in terms of the arguments: n = cities
int main(int argc, char **argv) {
    int cities = atoi(argv[1]);
    int roads = atoi(argv[2]);
    double sum = 0;
    n = cities;
    distance = malloc((n * n + 1) * sizeof *distance);
    build(roads);
    shorten();
    for (int i = 0; i < n * n; i++) { TRIP;
        sum += distance[i];
    }
    printf("%g\n", sum);
    return 0;
}
