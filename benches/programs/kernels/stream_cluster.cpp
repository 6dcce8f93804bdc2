// arguments: n=20..250 dim=2..8 kmin=2..5 kmax=6..12 workers=1..4
// Chooses at least kmin and at most kmax of the points as centres, by local search with different prices of a centre.
#include <algorithm>
#include <vector>
#include "trips.h"

struct Point {
    double weight, cost;
    double *coord;
    int assign;
};

struct Points {
    int num, dim;
    Point *p;
};

static unsigned seed = 83;

__attribute__((noinline)) static double dist(const Point &a, const Point &b, int dim) { CALL;
    double result = 0.0;
    for (int i = 0; i < dim; i++) { TRIP;
        result += (a.coord[i] - b.coord[i]) * (a.coord[i] - b.coord[i]);
    }
    return result;
}

// Opens centres with a chance that grows with the distance to the nearest one, and returns the cost.
// in terms of the arguments: points->num = n
__attribute__((noinline)) static double speedy(Points *points, double z) { CALL;
    double total = z;
    for (int k = 0; k < points->num; k++) { TRIP;
        Point &p = points->p[k];
        if (k > 0 && next_number(&seed) % 1000 / 1000.0 >= p.cost / z) continue;
        if (k > 0) total += z;
        for (int i = 0; i < points->num; i++) { TRIP;
            double d = dist(points->p[i], p, points->dim) * points->p[i].weight;
            if (k > 0 && i != k && d >= points->p[i].cost) continue;
            points->p[i].cost = d;
            points->p[i].assign = k;
        }
    }
    for (int i = 0; i < points->num; i++) { TRIP;
        total += points->p[i].cost;
    }
    return total;
}

// in terms of the arguments: points->num = n
__attribute__((noinline)) static double gain(const Point *x, Points *points, double z, int workers) { CALL;
    if (x->assign == x - points->p) return 0.0;
    std::vector<double> lower(points->num, 0.0);
    std::vector<char> moves(points->num, 0);
    double saved = -z;
    int chunk = workers > 0 ? (points->num + workers - 1) / workers : points->num;
    for (int pid = 0; pid < workers; pid++) { TRIP;
        int k1 = std::min(chunk * pid, points->num), k2 = std::min(k1 + chunk, points->num);
        for (int i = k1; i < k2; i++) { TRIP;
            double d = dist(points->p[i], *x, points->dim) * points->p[i].weight, less = points->p[i].cost - d;
            if (less > 0) saved += less;
            else lower[points->p[i].assign] += less;
            moves[i] = less > 0;
        }
    }
    for (int i = 0; i < points->num; i++) { TRIP;
        if (points->p[i].assign == i && lower[i] + z > 0) saved += lower[i] + z;
    }
    if (saved <= 1e-9) return 0.0;
    for (int i = 0; i < points->num; i++) { TRIP;
        if (!moves[i] && lower[points->p[i].assign] + z <= 0) continue;
        points->p[i].cost = dist(points->p[i], *x, points->dim) * points->p[i].weight;
        points->p[i].assign = x - points->p;
    }
    return saved;
}

// in terms of the arguments: points.num = n
int main(int argc, char **argv) {
    int n = atoi(argv[1]), dim = atoi(argv[2]), kmin = atoi(argv[3]), kmax = atoi(argv[4]), workers = atoi(argv[5]);
    std::vector<double> block(n * dim + 1);
    std::vector<Point> all(n + 1);
    Points points = {n, dim, all.data()};
    for (int i = 0; i < n; i++) { TRIP;
        all[i] = Point{1.0, 0.0, &block[i * dim], 0};
        for (int j = 0; j < dim; j++) { TRIP;
            all[i].coord[j] = next_number(&seed) % 1000 / 100.0;
        }
    }
    double lo = 0.0, hi = 100.0 * n + 1.0, cost = 0.0;
    int k = 0;
    for (int tries = 0; tries < 12; tries++) { TRIP;
        double z = (lo + hi) / 2.0, change = cost = speedy(&points, z);
        int rounds = 0;
        while (change > 0.05 * cost && rounds++ < 5) { TRIP;
            change = 0.0;
            for (int i = rounds % 3; i < points.num; i += 3) { TRIP;
                change += gain(&points.p[i], &points, z, workers);
            }
            cost -= change;
        }
        k = 0;
        for (int i = 0; i < points.num; i++) { TRIP;
            k += all[i].assign == i;
        }
        if (k >= kmin && k <= kmax) break;
        if (k > kmax) lo = z;
        else hi = z;
    }
    printf("%d %g\n", k, cost);
    return 0;
}
