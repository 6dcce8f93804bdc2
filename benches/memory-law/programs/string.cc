#include <string>
#include <cstdio>
#include <cstdlib>
int main(int c, char **v) { long n = atol(v[1]); std::string p; for (long i = 0; i < n * 16; i++) p += char('a' + i % 20); printf("%c\n", p[n / 2]); }
