// arguments: n=10..160 m=4..80
// Computes the correlation of every two of the m columns of a table with n rows.
#include "trips.h"

// in terms of the arguments: samples = n, features = m
__attribute__((noinline)) static void fill(int samples, int features, double *table) { CALL;
    unsigned seed = 7;
    for (int i = 0; i < samples; i++) { TRIP;
        for (int j = 0; j < features; j++) { TRIP;
            table[i * features + j] = next_number(&seed) % 1000 / 100.0 + 0.01 * i * j;
        }
    }
}

// in terms of the arguments: samples = n, features = m
__attribute__((noinline)) static void standardize(int samples, int features, double *table) { CALL;
    for (int j = 0; j < features; j++) { TRIP;
        double mean = 0, spread = 0;
        for (int i = 0; i < samples; i++) { TRIP;
            mean += table[i * features + j];
        }
        mean /= samples > 0 ? samples : 1;
        for (int i = 0; i < samples; i++) { TRIP;
            double difference = table[i * features + j] - mean;
            spread += difference * difference;
        }
        spread = sqrt(spread);
        if (spread < 0.1) spread = 1.0;
        for (int i = 0; i < samples; i++) { TRIP;
            table[i * features + j] = (table[i * features + j] - mean) / spread;
        }
    }
}

// in terms of the arguments: samples = n, features = m
__attribute__((noinline)) static void correlate(int samples, int features, const double *table, double *result) { CALL;
    for (int a = 0; a < features; a++) { TRIP;
        result[a * features + a] = 1.0;
        for (int b = a + 1; b < features; b++) { TRIP;
            double sum = 0;
            for (int i = 0; i < samples; i++) { TRIP;
                sum += table[i * features + a] * table[i * features + b];
            }
            result[a * features + b] = result[b * features + a] = sum;
        }
    }
}

int main(int argc, char **argv) {
    int n = atoi(argv[1]), m = atoi(argv[2]);
    double *table = malloc((n * m + 1) * sizeof *table), *result = malloc((m * m + 1) * sizeof *result);
    fill(n, m, table);
    standardize(n, m, table);
    correlate(n, m, table, result);
    double sum = 0;
    for (int i = 0; i < m * m; i++) { TRIP;
        sum += result[i];
    }
    printf("%g\n", sum);
}
