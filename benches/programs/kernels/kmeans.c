// arguments: points=20..500 clusters=2..8 features=2..8 loops=1..10
// Groups points into clusters around moving centres until no point changes its cluster or the rounds are used up.
#include "trips.h"

struct clustering {
    int npoints, nclusters, nfeatures;
    float **feature, **centre, **new_centre;
    int *membership, *length;
};

// in terms of the arguments: differs
__attribute__((noinline)) static float **new_table(int rows, int cols) { CALL;
    float **table = calloc(rows + 1, sizeof(float *));
    table[0] = calloc(rows * cols + 1, sizeof(float));
    for (int i = 1; i < rows; i++) { TRIP;
        table[i] = table[i - 1] + cols;
    }
    return table;
}

// in terms of the arguments: nfeatures = features, npts = clusters
__attribute__((noinline)) static int nearest(const float *pt, int nfeatures, float **pts, int npts) { CALL;
    int index = -1;
    float best = 3.4e38f;
    for (int i = 0; i < npts; i++) { TRIP;
        float dist = 0.0f;
        for (int j = 0; j < nfeatures; j++) { TRIP;
            dist += (pt[j] - pts[i][j]) * (pt[j] - pts[i][j]);
        }
        if (dist < best) {
            best = dist;
            index = i;
        }
    }
    return index;
}

// in terms of the arguments: c->npoints = points, c->nfeatures = features
__attribute__((noinline)) static int assign(struct clustering *c) { CALL;
    int delta = 0;
    for (int i = 0; i < c->npoints; i++) { TRIP;
        int index = nearest(c->feature[i], c->nfeatures, c->centre, c->nclusters);
        if (index < 0) continue;
        if (c->membership[i] != index) delta++;
        c->membership[i] = index;
        c->length[index]++;
        for (int j = 0; j < c->nfeatures; j++) { TRIP;
            c->new_centre[index][j] += c->feature[i][j];
        }
    }
    return delta;
}

// in terms of the arguments: c->nclusters = clusters, c->nfeatures = features
__attribute__((noinline)) static void move(struct clustering *c) { CALL;
    for (int i = 0; i < c->nclusters; i++) { TRIP;
        for (int j = 0; j < c->nfeatures; j++) { TRIP;
            if (c->length[i] > 0) c->centre[i][j] = c->new_centre[i][j] / c->length[i];
            c->new_centre[i][j] = 0.0f;
        }
        c->length[i] = 0;
    }
}

int main(int argc, char **argv) {
    int points = atoi(argv[1]), clusters = atoi(argv[2]), features = atoi(argv[3]), loops = atoi(argv[4]);
    struct clustering c = {points, clusters, features, new_table(points, features), new_table(clusters, features),
                           new_table(clusters, features), calloc(points + 1, sizeof(int)),
                           calloc(clusters + 1, sizeof(int))};
    unsigned seed = 37;
    for (int i = 0; i < points * features; i++) { TRIP;
        c.feature[0][i] = next_number(&seed) % 1000 / 100.0f;
    }
    for (int i = 0; i < points; i++) { TRIP;
        c.membership[i] = -1;
    }
    for (int i = 0; i < clusters && i < points; i++) { TRIP;
        memcpy(c.centre[i], c.feature[i], features * sizeof(float));
    }
    int round = 0, delta;
    do { NO_TRIP;
        delta = assign(&c);
        move(&c);
    } while (delta > 0 && (TRIP_ABOVE(3), ++round < loops));
    double sum = round;
    for (int i = 0; i < clusters * features; i++) { TRIP;
        sum += c.centre[0][i];
    }
    printf("%g\n", sum);
    return 0;
}
