#include <vector>
#include <cstdio>
#include <cstdlib>
struct e { long a, b; };
int main(int c, char **v) { long n = atol(v[1]); std::vector<e> p; for (long i = 0; i < n; i++) p.push_back({i, i}); printf("%ld\n", p[n / 2].a); }
