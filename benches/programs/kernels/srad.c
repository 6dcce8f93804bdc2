// arguments: rows=8..80 cols=8..80 iterations=1..8
// Removes speckles from an image by diffusion that is weak across edges, with arrays that hold the neighbours' places.
#include "trips.h"

struct region {
    int r1, r2, c1, c2;
};

static double *dN, *dS, *dW, *dE, *c;
static int *iN, *iS, *jW, *jE;

__attribute__((noinline)) static void find_indices(int rows, int cols) { CALL;
    for (int i = 0; i < rows; i++) { TRIP;
        iN[i] = i > 0 ? i - 1 : 0;
        iS[i] = i < rows - 1 ? i + 1 : rows - 1;
    }
    for (int j = 0; j < cols; j++) { TRIP;
        jW[j] = j > 0 ? j - 1 : 0;
        jE[j] = j < cols - 1 ? j + 1 : cols - 1;
    }
}

// in terms of the arguments: roi->r1 = 0, roi->r2 = rows // 2, roi->c1 = 0, roi->c2 = cols // 2
__attribute__((noinline)) static double speckle(const struct region *roi, int cols, const double *J) { CALL;
    int size_R = (roi->r2 - roi->r1 + 1) * (roi->c2 - roi->c1 + 1);
    double sum = 0.0, sum2 = 0.0;
    for (int i = roi->r1; i <= roi->r2; i++) { TRIP;
        for (int j = roi->c1; j <= roi->c2; j++) { TRIP;
            double value = J[i * cols + j];
            sum += value;
            sum2 += value * value;
        }
    }
    double mean = sum / size_R, var = sum2 / size_R - mean * mean;
    return mean != 0.0 ? var / (mean * mean) + 1e-6 : 1e-6;
}

__attribute__((noinline)) static void derivatives(int rows, int cols, const double *J, double q0sqr) { CALL;
    for (int i = 0; i < rows; i++) { TRIP;
        for (int j = 0; j < cols; j++) { TRIP;
            int k = i * cols + j;
            dN[k] = J[iN[i] * cols + j] - J[k];
            dS[k] = J[iS[i] * cols + j] - J[k];
            dW[k] = J[i * cols + jW[j]] - J[k];
            dE[k] = J[i * cols + jE[j]] - J[k];
            double G2 = (dN[k] * dN[k] + dS[k] * dS[k] + dW[k] * dW[k] + dE[k] * dE[k]) / (J[k] * J[k]);
            double L = (dN[k] + dS[k] + dW[k] + dE[k]) / J[k], den = 1.0 + 0.25 * L;
            double qsqr = (0.5 * G2 - L * L / 16.0) / (den * den);
            c[k] = 1.0 / (1.0 + (qsqr - q0sqr) / (q0sqr * (1.0 + q0sqr)));
            c[k] = c[k] < 0.0 ? 0.0 : c[k] > 1.0 ? 1.0 : c[k];
        }
    }
}

__attribute__((noinline)) static void update(int rows, int cols, double *J) { CALL;
    for (int i = 0; i < rows; i++) { TRIP;
        for (int j = 0; j < cols; j++) { TRIP;
            int k = cols * i + j;
            double D = c[k] * (dN[k] + dW[k]) + c[iS[i] * cols + j] * dS[k] + c[i * cols + jE[j]] * dE[k];
            J[k] += 0.125 * D;
        }
    }
}

// in terms of the arguments: size_I = rows * cols
int main(int argc, char **argv) {
    int rows = atoi(argv[1]), cols = atoi(argv[2]), iterations = atoi(argv[3]);
    int size_I = rows * cols;
    double *J = calloc(size_I + 1, sizeof(double)), sum = 0.0;
    double **tables[] = {&dN, &dS, &dW, &dE, &c};
    for (int t = 0; t < 5; t++) { TRIP;
        *tables[t] = calloc(size_I + 1, sizeof(double));
    }
    iN = calloc(rows + 1, sizeof(int));
    iS = calloc(rows + 1, sizeof(int));
    jW = calloc(cols + 1, sizeof(int));
    jE = calloc(cols + 1, sizeof(int));
    unsigned seed = 79;
    find_indices(rows, cols);
    for (int k = 0; k < size_I; k++) { TRIP;
        J[k] = exp(next_number(&seed) % 256 / 255.0);
    }
    struct region roi = {0, rows / 2, 0, cols / 2};
    for (int iter = 0; iter < iterations; iter++) { TRIP;
        if (size_I == 0) break;
        derivatives(rows, cols, J, speckle(&roi, cols, J));
        update(rows, cols, J);
    }
    for (int k = 0; k < size_I; k++) { TRIP;
        sum += J[k];
    }
    printf("%g\n", sum);
    return 0;
}
