// Templates, lambdas, macros, exceptions and regions within a line.
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#define MOST(a, b) ((a) > (b) ? (a) : (b))
#define CHECKED(x) (MOST((x), 0) > 5 && ((x) < 30 || (x) == 77))

template <typename T> struct Sorter {
    static void sort(std::vector<T> &v) {
        for (size_t i = v.size(); i > 1; --i)
            for (size_t j = 0; j + 1 < i; ++j)
                if (v[j + 1] < v[j])
                    std::swap(v[j], v[j + 1]);
    }
};

static int fall(int n) {
    int sum = 0;
    switch (n % 4) {
    case 0:
        sum += 1;
    case 1:
        sum += 2;
        break;
    case 2:
        return n;
    default:
        sum = n & 1 ? 7 : 8;
    }
    while (n > 0) {
        n -= 3;
        if (n == 5)
            continue;
        if (n == 6)
            break;
        sum++;
    }
    return sum;
}

#if 0
static int skipped() { return 1; }
#endif

inline int unused(int n) { return n + 1; }

static int thrower(int n) {
    try {
        if (n % 5 == 0)
            throw std::runtime_error("five");
        return n;
    } catch (const std::exception &e) {
        return -1;
    }
}

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const { return 1; }
};
struct Square : Shape {
    int side;
    explicit Square(int n) : side(n) {}
    int area() const override { return side * side; }
};

int main(int argc, char **argv) {
    int n = argc > 1 ? std::atoi(argv[1]) : 10;
    std::vector<int> v;
    std::vector<std::string> words;
    for (int i = 0; i < n; i++) {
        v.push_back(i * 7919 % 1000);
        words.push_back(std::to_string(v.back()));
    }
    Sorter<int>::sort(v);
    Sorter<std::string>::sort(words);
    int sum = 0;
    auto add = [&sum](int x) { return x > 3 ? sum += x : sum; };
    for (int x : v) {
        add(fall(x));
        if (CHECKED(x))
            sum -= thrower(x);
    }
    Shape *shapes[] = {new Shape, new Square(n)};
    for (Shape *s : shapes) {
        sum += s->area();
        delete s;
    }
    do {
        sum /= 2;
    } while (sum > 100);
    std::printf("%d\n", sum);
    return 0;
}
