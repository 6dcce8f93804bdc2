// arguments: points=8..200 dims=2..50
// Computes the covariance matrix of a set of points.
#include "trips.h"

struct matrix {
    int rows, cols;
    double *at;
};

// in terms of the arguments: differs
__attribute__((noinline)) static struct matrix *create(int rows, int cols) { CALL;
    struct matrix *made = malloc(sizeof *made);
    made->rows = rows, made->cols = cols;
    made->at = calloc(rows * cols + 1, sizeof *made->at);
    return made;
}

// in terms of the arguments: data->rows = points, data->cols = dims
__attribute__((noinline)) static void center(struct matrix *data, double *mean) { CALL;
    for (int i = 0; i < data->rows; i++) { TRIP;
        for (int j = 0; j < data->cols; j++) { TRIP;
            mean[j] += data->at[i * data->cols + j] / data->rows;
        }
    }
    for (int i = 0; i < data->rows; i++) { TRIP;
        for (int j = 0; j < data->cols; j++) { TRIP;
            data->at[i * data->cols + j] -= mean[j];
        }
    }
}

// in terms of the arguments: data->rows = points, data->cols = dims, result->rows = dims, result->cols = dims
__attribute__((noinline)) static void covary(const struct matrix *data, struct matrix *result) { CALL;
    double scale = data->rows > 1 ? 1.0 / (data->rows - 1) : 1.0;
    for (int i = 0; i < result->rows; i++) { TRIP;
        for (int j = i; j < result->cols; j++) { TRIP;
            double sum = 0;
            for (int k = 0; k < data->rows; k++) { TRIP;
                sum += data->at[k * data->cols + i] * data->at[k * data->cols + j];
            }
            result->at[i * result->cols + j] = result->at[j * result->cols + i] = sum * scale;
        }
    }
}

int main(int argc, char **argv) {
    int points = atoi(argv[1]), dims = atoi(argv[2]);
    struct matrix *data = create(points, dims), *result = create(dims, dims);
    double *mean = calloc(dims + 1, sizeof *mean), trace = 0;
    unsigned seed = 3;
    for (int i = 0; i < points * dims; i++) { TRIP;
        data->at[i] = next_number(&seed) % 512 / 64.0;
    }
    center(data, mean);
    covary(data, result);
    for (int i = 0; i < dims; i++) { TRIP;
        trace += result->at[i * dims + i];
    }
    printf("%g %g\n", trace, result->at[0]);
}
