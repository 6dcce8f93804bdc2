/* Writes a program of about BYTES bytes for the parser, the same one for the
 * same SEED on every machine.
 *
 *     ./gen BYTES SEED > input
 *
 * As in real code bases, the functions of larger programs are longer, their
 * average length grows as BYTES^0.2; and each program has its own style, from
 * short functions to functions three times as long.
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

static const char *const NAMES[] = {"i",      "k",     "node",   "size",  "left",  "count", "first", "width",
                                    "offset", "total", "result", "state", "depth", "limit", "index", "value"};
static uint64_t written;

static void write_name(void) {
    written += (uint64_t)printf("%s", NAMES[random_below(16)]);
}

static void write_factor(void) {
    switch (random_below(8)) {
    case 0:
    case 1:
    case 2:
        written += (uint64_t)printf("%u", random_below(1000));
        break;
    case 3:
        write_name();
        written += (uint64_t)printf("(");
        write_name();
        written += (uint64_t)printf(", %u)", random_below(10));
        break;
    default:
        write_name();
    }
}

static void write_sum(void) {
    write_factor();
    for (unsigned more = random_below(3); more > 0; more--) {
        written += (uint64_t)printf(" %c ", "+-*<"[random_below(4)]);
        write_factor();
    }
}

static void write_statements(unsigned count, int indent) {
    for (; count > 0; count--) {
        written += (uint64_t)printf("%*s", indent * 4, "");
        if (indent == 1 && random_below(6) == 0) {
            written += (uint64_t)printf(random_below(2) ? "if (" : "while (");
            write_sum();
            written += (uint64_t)printf(") {\n");
            write_statements(1 + random_below(3), indent + 1);
            written += (uint64_t)printf("%*s}\n", indent * 4, "");
        } else {
            write_name();
            written += (uint64_t)printf(" = ");
            write_sum();
            written += (uint64_t)printf(";\n");
        }
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: gen BYTES SEED\n");
        return 1;
    }
    uint64_t bytes = strtoull(argv[1], NULL, 10);
    state = strtoull(argv[2], NULL, 10) * 1000003u + bytes;
    double style = 0.5 + random_below(1001) / 1000.0;
    unsigned typical = (unsigned)(30 * style * pow((double)bytes / 10000, 0.2));

    for (unsigned function = 0; written < bytes; function++) {
        written += (uint64_t)printf("func f%u {\n", function);
        write_statements(typical / 2 + random_below(typical + 1), 1);
        written += (uint64_t)printf("    return ");
        write_sum();
        written += (uint64_t)printf(";\n}\n");
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
