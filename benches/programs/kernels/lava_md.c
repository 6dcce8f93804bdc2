// arguments: boxes=1..5 steps=1..3
// Sums the forces between the particles of each box and of the boxes next to it, in a cube of boxes.
#include "trips.h"

#define PARTICLES 16

struct neighbour {
    int number, offset;
};

struct box {
    int x, y, z, number, offset, nn;
    struct neighbour nei[26];
};

struct dim {
    int boxes1d, number_boxes, space_elem;
};

struct vector {
    double v, x, y, z;
};

__attribute__((noinline)) static void find_neighbours(const struct dim *dim, struct box *home) { CALL;
    for (int l = -1; l < 2; l++) { TRIP;
        for (int m = -1; m < 2; m++) { TRIP;
            for (int n = -1; n < 2; n++) { TRIP;
                int z = home->z + l, y = home->y + m, x = home->x + n, end = dim->boxes1d;
                if (x < 0 || y < 0 || z < 0 || x >= end || y >= end || z >= end || (!l && !m && !n)) continue;
                home->nei[home->nn].number = (z * end + y) * end + x;
                home->nei[home->nn].offset = home->nei[home->nn].number * PARTICLES;
                home->nn++;
            }
        }
    }
}

// in terms of the arguments: dim->boxes1d = boxes
__attribute__((noinline)) static void lay_out(const struct dim *dim, struct box *box) { CALL;
    int nh = 0;
    for (int i = 0; i < dim->boxes1d; i++) { TRIP;
        for (int j = 0; j < dim->boxes1d; j++) { TRIP;
            for (int k = 0; k < dim->boxes1d; k++) { TRIP;
                struct box home = {k, j, i, nh, nh * PARTICLES, 0, {{0, 0}}};
                find_neighbours(dim, &home);
                box[nh++] = home;
            }
        }
    }
}

// in terms of the arguments: dim->number_boxes = boxes ** 3
__attribute__((noinline)) static void forces(const struct dim *dim, const struct box *box, const struct vector *rv,
                                             const double *qv, struct vector *fv) { CALL;
    for (int l = 0; l < dim->number_boxes; l++) { TRIP;
        int first_i = box[l].offset;
        for (int k = 0; k < 1 + box[l].nn; k++) { TRIP;
            int first_j = k == 0 ? first_i : box[l].nei[k - 1].offset;
            for (int i = 0; i < PARTICLES; i++) { TRIP;
                const struct vector *a = &rv[first_i + i];
                for (int j = 0; j < PARTICLES; j++) { TRIP;
                    const struct vector *b = &rv[first_j + j];
                    double r2 = a->v + b->v - (a->x * b->x + a->y * b->y + a->z * b->z);
                    double vij = exp(-0.5 * r2), fs = vij * qv[first_j + j];
                    fv[first_i + i].v += fs;
                    fv[first_i + i].x += fs * (a->x - b->x);
                    fv[first_i + i].y += fs * (a->y - b->y);
                    fv[first_i + i].z += fs * (a->z - b->z);
                }
            }
        }
    }
}

// in terms of the arguments: dim.boxes1d = boxes, dim.number_boxes = boxes ** 3, dim.space_elem = boxes ** 3 * 16
int main(int argc, char **argv) {
    int boxes = atoi(argv[1]), steps = atoi(argv[2]);
    struct dim dim = {boxes, boxes * boxes * boxes, boxes * boxes * boxes * PARTICLES};
    struct box *box = calloc(dim.number_boxes + 1, sizeof(struct box));
    struct vector *rv = calloc(dim.space_elem + 1, sizeof(struct vector));
    struct vector *fv = calloc(dim.space_elem + 1, sizeof(struct vector));
    double *qv = calloc(dim.space_elem + 1, sizeof(double)), sum = 0.0;
    unsigned seed = 41;
    for (int i = 0; i < dim.space_elem; i++) { TRIP;
        rv[i] = (struct vector){1.0, next_number(&seed) % 10 / 10.0, next_number(&seed) % 10 / 10.0, 0.5};
        qv[i] = next_number(&seed) % 10 / 10.0;
    }
    lay_out(&dim, box);
    for (int s = 0; s < steps; s++) { TRIP;
        forces(&dim, box, rv, qv, fv);
        for (int i = 0; i < dim.space_elem; i++) { TRIP;
            rv[i].x += 1e-5 * fv[i].x;
            sum += fv[i].v;
        }
    }
    printf("%g\n", sum);
    return 0;
}
