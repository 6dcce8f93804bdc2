// arguments: frames=1..5 points=1..8 radius=1..3 search=2..6
// Follows points over the frames of a film by matching a small template inside a window around each point.
#include "trips.h"

#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))

struct sizes {
    int in, mask, conv, frame, frame_elem;
};

struct point {
    int row, col;
    double *mask;
};

// in terms of the arguments: s->frame = 4 * search + 4 * radius + 4
__attribute__((noinline)) static void draw(const struct sizes *s, double shift, double *image) { CALL;
    for (int r = 0; r < s->frame; r++) { TRIP;
        for (int c = 0; c < s->frame; c++) { TRIP;
            image[r * s->frame + c] = sin(0.7 * (r + shift)) + cos(0.5 * (c - shift) + 0.03 * r);
        }
    }
}

// in terms of the arguments: differs
__attribute__((noinline)) static void cut(const double *from, int stride, int r0, int c0, int size, double *out) { CALL;
    for (int r = r0; r < r0 + size; r++) { TRIP;
        for (int c = c0; c < c0 + size; c++) { TRIP;
            out[(r - r0) * size + c - c0] = from[r * stride + c];
        }
    }
}

// in terms of the arguments: s->in = 2 * search + 1, s->mask = 2 * radius + 1, s->conv = 2 * search + 2 * radius + 1
__attribute__((noinline)) static void convolve(const struct sizes *s, const double *in, const double *mask,
                                               double *conv) { CALL;
    for (int u = 0; u < s->conv; u++) { TRIP;
        int a1 = max(0, u - s->mask + 1), a2 = min(u, s->in - 1);
        for (int v = 0; v < s->conv; v++) { TRIP;
            int b1 = max(0, v - s->mask + 1), b2 = min(v, s->in - 1);
            double sum = 0.0;
            for (int a = a1; a <= a2; a++) { TRIP;
                for (int b = b1; b <= b2; b++) { TRIP;
                    sum += in[a * s->in + b] * mask[(s->mask - 1 - u + a) * s->mask + s->mask - 1 - v + b];
                }
            }
            conv[u * s->conv + v] = sum;
        }
    }
}

// in terms of the arguments: conv_elem = (2 * search + 2 * radius + 1) ** 2
__attribute__((noinline)) static int place_of_largest(int conv_elem, const double *conv) { CALL;
    int best = 0;
    for (int i = 1; i < conv_elem; i++) { TRIP;
        if (conv[i] > conv[best]) best = i;
    }
    return best;
}

int main(int argc, char **argv) {
    int frames = atoi(argv[1]), points = atoi(argv[2]), radius = atoi(argv[3]), search = atoi(argv[4]);
    struct sizes s = {2 * search + 1, 2 * radius + 1, 0, 0, 0};
    s.conv = s.in + s.mask - 1;
    s.frame = 2 * (s.in + s.mask);
    s.frame_elem = s.frame * s.frame;
    int margin = search + radius, mask_elem = s.mask * s.mask, conv_elem = s.conv * s.conv;
    double *image = calloc(s.frame_elem + 1, sizeof(double)), *in = calloc(s.in * s.in + 1, sizeof(double));
    double *conv = calloc(conv_elem + 1, sizeof(double));
    struct point *p = calloc(points + 1, sizeof(struct point));
    unsigned seed = 31;
    draw(&s, 0, image);
    for (int i = 0; i < points; i++) { TRIP;
        p[i].row = margin + next_number(&seed) % (s.frame - 2 * margin);
        p[i].col = margin + next_number(&seed) % (s.frame - 2 * margin);
        p[i].mask = calloc(mask_elem + 1, sizeof(double));
        cut(image, s.frame, p[i].row - radius, p[i].col - radius, s.mask, p[i].mask);
    }
    double sum = 0.0;
    for (int frame = 1; frame <= frames; frame++) { TRIP;
        draw(&s, frame, image);
        for (int i = 0; i < points; i++) { TRIP;
            cut(image, s.frame, p[i].row - search, p[i].col - search, s.in, in);
            convolve(&s, in, p[i].mask, conv);
            int best = place_of_largest(conv_elem, conv);
            p[i].row = min(max(p[i].row + best / s.conv - margin, margin), s.frame - 1 - margin);
            p[i].col = min(max(p[i].col + best % s.conv - margin, margin), s.frame - 1 - margin);
            sum += conv[best] + p[i].row + p[i].col;
        }
    }
    printf("%g\n", sum);
    return 0;
}
