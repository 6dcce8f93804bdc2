// arguments: n=5..110 m=3..70
// Makes the columns of a matrix orthonormal with the modified Gram-Schmidt method.
#include "trips.h"

// The columns lie one after the other.
struct matrix {
    int rows, cols;
    double *at;
};

// in terms of the arguments: length = n
__attribute__((noinline)) static double dot(int length, const double *x, const double *y) { CALL;
    double sum = 0;
    for (int i = 0; i < length; i++) { TRIP;
        sum += x[i] * y[i];
    }
    return sum;
}

// in terms of the arguments: q->rows = n, q->cols = m, r->rows = m, r->cols = m
__attribute__((noinline)) static void orthonormalize(struct matrix *q, struct matrix *r) { CALL;
    for (int k = 0; k < q->cols; k++) { TRIP;
        double *column = q->at + k * q->rows;
        double norm = sqrt(dot(q->rows, column, column));
        r->at[k * r->rows + k] = norm;
        if (norm < 1e-9) norm = 1;
        for (int i = 0; i < q->rows; i++) { TRIP;
            column[i] /= norm;
        }
        for (int j = k + 1; j < q->cols; j++) { TRIP;
            double *other = q->at + j * q->rows;
            double share = dot(q->rows, column, other);
            r->at[j * r->rows + k] = share;
            for (int i = 0; i < q->rows; i++) { TRIP;
                other[i] -= share * column[i];
            }
        }
    }
}

// in terms of the arguments: r.cols = m, r.rows = m, q.cols = m, q.rows = n
int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    struct matrix q = {n, m, malloc((n * m + 1) * sizeof(double))};
    struct matrix r = {m, m, calloc(m * m + 1, sizeof(double))};
    unsigned seed = 15;
    for (int j = 0; j < m; j++) { TRIP;
        for (int i = 0; i < n; i++) { TRIP;
            q.at[j * n + i] = next_number(&seed) % 200 / 100.0 - 1;
        }
    }
    orthonormalize(&q, &r);
    double sum = 0;
    for (int i = 0; i < r.rows * r.cols; i++) { TRIP;
        sum += fabs(r.at[i]);
    }
    printf("%g\n", sum);
    return 0;
}
