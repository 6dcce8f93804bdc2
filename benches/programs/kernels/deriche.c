// arguments: width=4..160 height=3..120
// Smooths a picture with Deriche's recursive filter, first along its rows and then along its columns.
#include "trips.h"

static float a1, a2, a3, a4, b1, b2, c;

// in terms of the arguments: w = width, h = height
__attribute__((noinline)) static void smooth_rows(int w, int h, const float *in, float *there, float *back) { CALL;
    for (int i = 0; i < h; i++) { TRIP;
        float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
        for (int j = 0; j < w; j++) { TRIP;
            float y = there[i * w + j] = a1 * in[i * w + j] + a2 * x1 + b1 * y1 + b2 * y2;
            x1 = in[i * w + j], y2 = y1, y1 = y;
        }
        x1 = y1 = y2 = 0;
        for (int j = w - 1; j >= 0; j--) { TRIP;
            float y = back[i * w + j] = a3 * x1 + a4 * x2 + b1 * y1 + b2 * y2;
            x2 = x1, x1 = in[i * w + j], y2 = y1, y1 = y;
        }
    }
}

// in terms of the arguments: w = width, h = height
__attribute__((noinline)) static void smooth_columns(int w, int h, const float *in, float *there, float *back) { CALL;
    for (int j = 0; j < w; j++) { TRIP;
        float x1 = 0, x2 = 0, y1 = 0, y2 = 0;
        for (int i = 0; i < h; i++) { TRIP;
            float y = there[i * w + j] = a1 * in[i * w + j] + a2 * x1 + b1 * y1 + b2 * y2;
            x1 = in[i * w + j], y2 = y1, y1 = y;
        }
        x1 = y1 = y2 = 0;
        for (int i = h - 1; i >= 0; i--) { TRIP;
            float y = back[i * w + j] = a3 * x1 + a4 * x2 + b1 * y1 + b2 * y2;
            x2 = x1, x1 = in[i * w + j], y2 = y1, y1 = y;
        }
    }
}

// in terms of the arguments: pixels = width * height
int main(int argc, char **argv) {
    int width = atoi(argv[1]), height = atoi(argv[2]), pixels = width * height;
    float *image = calloc(3 * pixels + 1, sizeof *image), *there = image + pixels, *back = there + pixels;
    float alpha = 0.25f, e = expf(-alpha), sum = 0;
    unsigned seed = 255;
    c = (1 - e) * (1 - e) / (1 + 2 * alpha * e - e * e);
    a1 = c, a2 = c * e * (alpha - 1), a3 = c * e * (alpha + 1), a4 = -c * e * e, b1 = 2 * e, b2 = -e * e;
    for (int i = 0; i < pixels; i++) { TRIP;
        image[i] = next_number(&seed) % 256 / 256.0f;
    }
    smooth_rows(width, height, image, there, back);
    for (int i = 0; i < pixels; i++) { TRIP;
        image[i] = there[i] + back[i];
    }
    smooth_columns(width, height, image, there, back);
    for (int i = 0; i < pixels; i++) { TRIP;
        sum += there[i] + back[i];
    }
    printf("%g\n", sum);
    return 0;
}
