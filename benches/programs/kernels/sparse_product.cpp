// arguments: rows=5..200 inner=5..200 cols=5..200 per_row=1..8
// Multiplies two sparse matrices held as compressed rows in vectors, and the product by a dense vector.
#include <algorithm>
#include <vector>
#include "trips.h"

struct Sparse {
    int rows, cols;
    std::vector<int> start, column;
    std::vector<double> value;
};

// in terms of the arguments: differs
__attribute__((noinline)) static Sparse random_matrix(int rows, int cols, int per_row, unsigned seed) { CALL;
    Sparse m{rows, cols, std::vector<int>(1, 0), {}, {}};
    int most = std::min(per_row, cols);
    for (int i = 0; i < rows; i++) { TRIP;
        int count = most > 0 ? 1 + next_number(&seed) % most : 0;
        for (int k = 0; k < count; k++) { TRIP;
            m.column.push_back((i + k * (cols / count)) % cols);
            m.value.push_back(next_number(&seed) % 100 / 10.0);
        }
        m.start.push_back(static_cast<int>(m.column.size()));
    }
    return m;
}

// in terms of the arguments: a.rows = rows
__attribute__((noinline)) static Sparse multiply(const Sparse &a, const Sparse &b) { CALL;
    Sparse c{a.rows, b.cols, std::vector<int>(1, 0), {}, {}};
    std::vector<int> place(b.cols, -1);
    for (int i = 0; i < a.rows; i++) { TRIP;
        int row_start = c.start[i];
        for (int p = a.start[i]; p < a.start[i + 1]; p++) { TRIP;
            int k = a.column[p];
            for (int q = b.start[k]; q < b.start[k + 1]; q++) { TRIP;
                int j = b.column[q];
                if (place[j] < row_start) {
                    place[j] = static_cast<int>(c.column.size());
                    c.column.push_back(j);
                    c.value.push_back(0.0);
                }
                c.value[place[j]] += a.value[p] * b.value[q];
            }
        }
        c.start.push_back(static_cast<int>(c.column.size()));
    }
    return c;
}

// in terms of the arguments: c.rows = rows
__attribute__((noinline)) static void sort_rows(Sparse &c) { CALL;
    for (int i = 0; i < c.rows; i++) { TRIP;
        for (int p = c.start[i] + 1; p < c.start[i + 1]; p++) { TRIP;
            for (int q = p; q > c.start[i] && c.column[q - 1] > c.column[q]; q--) { TRIP;
                std::swap(c.column[q - 1], c.column[q]);
                std::swap(c.value[q - 1], c.value[q]);
            }
        }
    }
}

// in terms of the arguments: c.start.size() = rows + 1
__attribute__((noinline)) static std::vector<double> apply(const Sparse &c, const std::vector<double> &x) { CALL;
    std::vector<double> y(c.start.size() - 1, 0.0);
    for (size_t i = 0; i + 1 < c.start.size(); i++) { TRIP;
        for (int p = c.start[i]; p < c.start[i + 1]; p++) { TRIP;
            y[i] += c.value[p] * x[c.column[p]];
        }
    }
    return y;
}

// in terms of the arguments: x.size() = cols
int main(int argc, char **argv) {
    int rows = atoi(argv[1]), inner = atoi(argv[2]), cols = atoi(argv[3]), per_row = atoi(argv[4]);
    Sparse a = random_matrix(rows, inner, per_row, 97), b = random_matrix(inner, cols, per_row, 101);
    Sparse c = multiply(a, b);
    sort_rows(c);
    std::vector<double> x(cols);
    for (size_t j = 0; j < x.size(); j++) { TRIP;
        x[j] = 1.0 / (1.0 + j);
    }
    double sum = 0.0;
    for (double y : apply(c, x)) { TRIP;
        sum += y;
    }
    printf("%g %zu\n", sum, c.value.size());
    return 0;
}
