/* Writes about CHARS characters of C-like source code, the same ones for the same
 * SEED on every machine.
 *
 *     ./gen CHARS SEED > input
 *
 * As in real source code, much of it was copied from earlier parts and changed a
 * little: a new function is either written afresh or is an earlier one in which
 * one line is another.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* SplitMix64: a counter, scrambled. */
static uint64_t state;
static unsigned random_below(unsigned below) {
    uint64_t z = (state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (unsigned)(((z ^ (z >> 31)) >> 33) % below);
}

static const char *const WORDS[] = {"node", "list", "size", "left",  "right", "count", "first", "width", "offset", "total",
                                    "item", "next", "head", "state", "depth", "limit", "index", "value", "buffer", "table"};

enum { LINES = 40, LINE = 64 };

static void write_line(char *line) {
    const char *a = WORDS[random_below(20)], *b = WORDS[random_below(20)], *c = WORDS[random_below(20)];
    switch (random_below(5)) {
    case 0: snprintf(line, LINE, "    %s->%s = %s;\n", a, b, c); break;
    case 1: snprintf(line, LINE, "    if (%s < %s->%s) return %s;\n", a, b, c, a); break;
    case 2: snprintf(line, LINE, "    %s = %s + %u;\n", a, b, random_below(100)); break;
    case 3: snprintf(line, LINE, "    while (%s) %s = %s->%s;\n", a, a, a, c); break;
    default: snprintf(line, LINE, "    %s_%s(%s, %s);\n", a, b, b, c); break;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: gen CHARS SEED\n");
        return 1;
    }
    uint64_t chars = strtoull(argv[1], NULL, 10), written = 0;
    state = strtoull(argv[2], NULL, 10) * 1000003u + chars;

    /* At most one function per ten characters. */
    char(*functions)[LINES][LINE] = calloc(chars / 10 + 1, sizeof *functions);
    if (!functions) return 1;
    for (unsigned made = 0; written < chars; made++) {
        if (made > 0 && random_below(100) < 70) {
            memcpy(functions[made], functions[random_below(made)], sizeof *functions);
            write_line(functions[made][random_below(LINES)]);
        } else {
            unsigned lines = 3 + random_below(LINES - 3);
            for (unsigned k = 0; k < lines; k++) write_line(functions[made][k]);
        }
        written += (uint64_t)printf("void %s_%u(%s *%s) {\n", WORDS[random_below(20)], made, WORDS[random_below(20)],
                                    WORDS[random_below(20)]);
        for (unsigned k = 0; k < LINES; k++) written += (uint64_t)printf("%s", functions[made][k]);
        written += (uint64_t)printf("}\n");
    }
    return fflush(stdout) == 0 ? 0 : 1;
}
