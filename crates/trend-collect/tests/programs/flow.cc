// Every kind of control flow that C++ adds, without a standard library to slow the compiler down.
extern "C" int printf(const char *, ...);

struct failure { int code; };
struct other_failure : failure {};

volatile int sink;

struct guard {
  int n;
  explicit guard(int n) : n(n) { sink = sink + n; }
  ~guard() { sink = sink - n; }
};

template <typename T> T largest(const T *values, int n) {
  T best = values[0];
  for (int i = 1; i < n; i++)
    if (values[i] > best)
      best = values[i];
  return best;
}

template <int N> int powers() { return N * powers<N - 1>() + (N % 2 ? 1 : 0); }
template <> int powers<0>() { return 1; }

struct shape {
  virtual ~shape() {}
  virtual int area() const { return 0; }
};
struct square : virtual shape {
  int side;
  explicit square(int side) : side(side > 0 ? side : -side) {}
  int area() const override { return side * side; }
};
struct block : square {
  explicit block(int side) : square(side) {}
};

static int thrower(int n) {
  guard g(n);
  if (n % 3 == 0)
    throw failure{n};
  if (n % 5 == 0)
    throw other_failure();
  return n;
}

static int catcher(int n) {
  try {
    guard g(1);
    return thrower(n);
  } catch (const other_failure &) {
    return -1;
  } catch (const failure &f) {
    return f.code;
  }
}

static int rethrower(int n) {
  try {
    try {
      return thrower(n);
    } catch (...) {
      sink = 0;
      throw;
    }
  } catch (...) {
    return 7;
  }
}

namespace {
int hidden(int n) { return n > 3 ? n - 3 : 3 - n; }
struct table {
  int rows[4];
  table() { for (int i = 0; i < 4; i++) rows[i] = hidden(i); }
} global_table;
}

int main() {
  int ints[] = {3, 1, 4, 1, 5, 9, 2, 6};
  double doubles[] = {2.5, 7.25, 1.125};
  int sum = largest(ints, 8) + int(largest(doubles, 3)) + powers<5>();
  for (int i = 1; i < 31; i++)
    sum += catcher(i) + rethrower(i);
  auto twice = [&sum](int n) { for (int &i : *new int[1][1]{{0}}) i = n; return sum > n ? 2 * n : n; };
  for (int n : ints)
    sum += twice(n);
  square s(-4);
  block b(3);
  const shape *shapes[] = {&s, &b};
  for (const shape *each : shapes)
    sum += each->area() + global_table.rows[1];
  static guard once(sum);
  printf("%d\n", sum);
  return 0;
}
