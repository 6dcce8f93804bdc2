/* Writes about BYTES bytes of declarations and calls, the same ones for the
 * same SEED on every machine.
 *
 *     ./gen BYTES SEED > input
 *
 * Some authors overload their functions and some do not, and in larger programs
 * it is done a little more; but nobody writes dozens of overloads of one name.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* SplitMix64: a counter, scrambled. */
static uint64_t state;
static unsigned random_below(unsigned below) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)(((z ^ (z >> 31)) >> 33) % below);
}

static const char *const VERBS[] = {"draw", "move", "parse", "print", "open", "close", "insert", "remove"};
static const char *const NOUNS[] = {"Shape", "Window", "Node", "Table", "Stream", "Buffer", "Event", "Index"};
static const char *const TYPES[] = {"int", "char", "double", "string", "node", "list", "bool", "long"};

static uint64_t written;

static void write_item(const char *what, unsigned name, unsigned overload) {
    written += (uint64_t)printf("    %s %s%s(%s, %s);\n", what, VERBS[name / 8], NOUNS[name % 8], TYPES[overload % 8],
                                TYPES[(name + overload) % 8]);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: gen BYTES SEED\n");
        return 1;
    }
    uint64_t bytes = strtoull(argv[1], NULL, 10);
    state = strtoull(argv[2], NULL, 10) * 1000003u + bytes;
    double fashion = random_below(1001) / 1000.0;
    unsigned often = (unsigned)(80 * fashion * pow((double)bytes / 5000000, 0.15));

    while (written < bytes) {
        unsigned first = random_below(64), names = 4 + random_below(5);
        unsigned overloads[9];
        written += (uint64_t)printf("{\n");
        for (unsigned k = 0; k < names; k++) {
            overloads[k] = 1;
            while (overloads[k] < 4 && random_below(100) < often) overloads[k]++;
            for (unsigned o = 0; o < overloads[k]; o++) write_item("fn", (first + k) % 64, o);
        }
        for (unsigned calls = 2 * names; calls > 0; calls--) {
            unsigned k = random_below(names);
            write_item("call", (first + k) % 64, random_below(overloads[k]));
        }
        if (random_below(3) == 0) { /* an inner scope that hides one of them */
            written += (uint64_t)printf("    {\n");
            write_item("fn", first % 64, 0);
            write_item("call", first % 64, 0);
            written += (uint64_t)printf("    }\n");
        }
        written += (uint64_t)printf("}\n");
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
