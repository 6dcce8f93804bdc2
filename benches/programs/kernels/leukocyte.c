// arguments: rows=12..60 cols=12..60 radius=1..4
// Finds round cells in an image by its gradients along the radii of circles, and widens the matches by dilation.
#include "trips.h"

#define CIRCLES 3
#define POINTS 16

struct matrix {
    int m, n;
    double *me;
};

// in terms of the arguments: differs
__attribute__((noinline)) static struct matrix new_matrix(int m, int n) { CALL;
    struct matrix a = {m, n, calloc(m * n + 1, sizeof(double))};
    return a;
}

// in terms of the arguments: img->m = rows, img->n = cols
__attribute__((noinline)) static void gradient_x(const struct matrix *img, struct matrix *out) { CALL;
    for (int i = 0; i < img->m; i++) { TRIP;
        for (int j = 1; j < img->n - 1; j++) { TRIP;
            out->me[i * img->n + j] = (img->me[i * img->n + j + 1] - img->me[i * img->n + j - 1]) / 2.0;
        }
    }
}

// in terms of the arguments: img->m = rows, img->n = cols
__attribute__((noinline)) static void gradient_y(const struct matrix *img, struct matrix *out) { CALL;
    int rows = img->m, cols = img->n;
    for (int i = 1; i <= rows - 2; i++) { TRIP;
        for (int j = 0; j < cols; j++) { TRIP;
            out->me[i * cols + j] = (img->me[(i + 1) * cols + j] - img->me[(i - 1) * cols + j]) / 2.0;
        }
    }
}

// in terms of the arguments: gx->m = rows, gx->n = cols
__attribute__((noinline)) static void gicov(const struct matrix *gx, const struct matrix *gy, int radius,
                                            struct matrix *score) { CALL;
    int margin = radius + CIRCLES - 1;
    for (int i = margin; i < gx->m - margin; i++) { TRIP;
        for (int j = margin; j < gx->n - margin; j++) { TRIP;
            double best = 0.0;
            for (int k = 0; k < CIRCLES; k++) { TRIP;
                double sum = 0.0, squares = 0.0;
                for (int p = 0; p < POINTS; p++) { TRIP;
                    double s = sin(p * 0.392699), c = cos(p * 0.392699);
                    int at = (i + (int)((radius + k) * s)) * gx->n + j + (int)((radius + k) * c);
                    double along = gx->me[at] * c + gy->me[at] * s;
                    sum += along;
                    squares += along * along;
                }
                double mean = sum / POINTS, var = squares / POINTS - mean * mean;
                if (mean * mean / (var + 1.0) > best) best = mean * mean / (var + 1.0);
            }
            score->me[i * score->n + j] = best;
        }
    }
}

// in terms of the arguments: img->m = rows, img->n = cols, strel->m = 2 * radius + 1, strel->n = 2 * radius + 1
__attribute__((noinline)) static void dilate(const struct matrix *img, const struct matrix *strel,
                                             struct matrix *out) { CALL;
    int centre_i = strel->m / 2, centre_j = strel->n / 2;
    for (int i = 0; i < img->m; i++) { TRIP;
        for (int j = 0; j < img->n; j++) { TRIP;
            double largest = 0.0;
            for (int el_i = 0; el_i < strel->m; el_i++) { TRIP;
                int y = i - centre_i + el_i;
                if (y < 0 || y >= img->m) continue;
                for (int el_j = 0; el_j < strel->n; el_j++) { TRIP;
                    int x = j - centre_j + el_j;
                    if (x < 0 || x >= img->n || strel->me[el_i * strel->n + el_j] == 0.0) continue;
                    if (img->me[y * img->n + x] > largest) largest = img->me[y * img->n + x];
                }
            }
            out->me[i * img->n + j] = largest;
        }
    }
}

// in terms of the arguments: side = 2 * radius + 1
int main(int argc, char **argv) {
    int rows = atoi(argv[1]), cols = atoi(argv[2]), radius = atoi(argv[3]);
    int side = 2 * radius + 1, matches = 0;
    struct matrix img = new_matrix(rows, cols), gx = new_matrix(rows, cols), gy = new_matrix(rows, cols);
    struct matrix score = new_matrix(rows, cols), wide = new_matrix(rows, cols), strel = new_matrix(side, side);
    unsigned seed = 43;
    for (int i = 0; i < rows * cols; i++) { TRIP;
        img.me[i] = 50.0 * sin(i / (cols + 1.0)) + next_number(&seed) % 20;
    }
    for (int i = 0; i < side * side; i++) { TRIP;
        int y = i / side - radius, x = i % side - radius;
        strel.me[i] = y * y + x * x <= radius * radius;
    }
    gradient_x(&img, &gx);
    gradient_y(&img, &gy);
    gicov(&gx, &gy, radius, &score);
    dilate(&score, &strel, &wide);
    for (int i = 0; i < rows * cols; i++) { TRIP;
        if (score.me[i] > 0.0 && score.me[i] == wide.me[i]) matches++;
    }
    printf("%d\n", matches);
    return 0;
}
