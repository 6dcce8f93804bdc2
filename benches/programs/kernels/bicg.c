// arguments: n=3..300 m=2..260
// Computes the two products A p and A^T r of the biconjugate gradient method.
#include "trips.h"

// in terms of the arguments: count = n * m
__attribute__((noinline)) static void fill(unsigned count, double *a) { CALL;
    unsigned seed = 8;
    double *end = a + count;
    for (double *at = a; at < end; at++) { TRIP;
        *at = next_number(&seed) % 1000 / 1000.0;
    }
}

// in terms of the arguments: n = m, m = n
__attribute__((noinline)) static void products(unsigned n, unsigned m, double *a, double **in, double **out) { CALL;
    double *p = in[0], *r = in[1], *s = out[0], *q = out[1];
    for (unsigned i = 0; i < n; i++) { TRIP;
        s[i] = 0;
    }
    for (unsigned i = 0; i < m; i++) { TRIP;
        double sum = 0;
        for (unsigned j = 0; j < n; j++) { TRIP;
            s[j] += r[i] * *a;
            sum += *a++ * p[j];
        }
        q[i] = sum;
    }
}

int main(int argc, char **argv) {
    unsigned n = atoi(argv[1]);
    unsigned m = atoi(argv[2]);
    double *a = malloc((n * m + 1) * sizeof *a);
    double *p = malloc((m + 1) * sizeof *p), *s = malloc((m + 1) * sizeof *s);
    double *r = malloc((n + 1) * sizeof *r), *q = malloc((n + 1) * sizeof *q);
    fill(n * m, a);
    for (unsigned i = 0; i < n; i++) { TRIP;
        r[i] = i % 10 / 10.0;
    }
    for (unsigned j = 0; j < m; j++) { TRIP;
        p[j] = j % 11 / 11.0;
    }
    double *in[] = {p, r}, *out[] = {s, q};
    products(m, n, a, in, out);
    double sum = 0;
    for (unsigned i = 0; i < n; i++) { TRIP;
        sum += q[i];
    }
    for (unsigned j = 0; j < m; j++) { TRIP;
        sum -= s[j];
    }
    printf("%g\n", sum);
    return 0;
}
