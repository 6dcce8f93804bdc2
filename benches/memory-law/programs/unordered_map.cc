#include <unordered_map>
#include <cstdio>
#include <cstdlib>
int main(int c, char **v) { long n = atol(v[1]); std::unordered_map<long, long> p; for (long i = 0; i < n; i++) p[i] = i; printf("%ld\n", p[n / 2]); }
