/* Writes a tarball of about BYTES bytes of made-up C source to standard output,
 * the same one for the same SEED on every machine.
 *
 *     ./gen BYTES SEED > corpus.tar
 *
 * It compresses about as well as source code does: the words follow Zipf's
 * law, lines follow a few patterns, and functions are sometimes copied from
 * earlier ones of the file.
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

/* ---- words ---- */

enum { WORDS = 3000, WORD = 24 };
static char words[WORDS][WORD];
static unsigned up_to[WORDS]; /* the sum of the weights of all words so far */

static void make_words(void) {
    static const char *const SYLLABLES[] = {"buf", "len", "ptr", "node", "get", "set", "max", "pos", "in",  "ex",
                                            "al",  "loc", "str", "hash", "tab", "key", "val", "re",  "con", "tex",
                                            "to",  "ken", "par", "se",   "em",  "it",  "un",  "do",  "ver", "sion"};
    unsigned sum = 0;
    for (unsigned k = 0; k < WORDS; k++) {
        for (unsigned more = 1 + random_below(3); more > 0; more--) strcat(words[k], SYLLABLES[random_below(30)]);
        up_to[k] = sum += 1000000 / (k + 5);
    }
}

static const char *word(void) {
    unsigned wanted = random_below(up_to[WORDS - 1]), low = 0, high = WORDS - 1;
    while (low < high) {
        unsigned middle = (low + high) / 2;
        if (up_to[middle] > wanted) high = middle;
        else low = middle + 1;
    }
    return words[low];
}

/* ---- source text ---- */

enum { LARGEST_FILE = 64 << 10, LONGEST_FUNCTION = 4 << 10 };
static char text[LARGEST_FILE + LONGEST_FUNCTION];
static size_t length;

#define WRITE(...) (length += (size_t)sprintf(text + length, __VA_ARGS__))

static void write_line(unsigned indent) {
    WRITE("%*s", (int)indent * 4, "");
    switch (random_below(8)) {
    case 0: WRITE("if (%s == NULL) return -%u;\n", word(), random_below(20)); break;
    case 1: WRITE("%s->%s = %s(%s, %u);\n", word(), word(), word(), word(), random_below(256)); break;
    case 2: WRITE("for (i = 0; i < %s->%s; i++) %s += %s[i];\n", word(), word(), word(), word()); break;
    case 3: WRITE("/* the %s of a %s is its %s, see %s */\n", word(), word(), word(), word()); break;
    case 4: WRITE("%s = %s + %s;\n", word(), word(), word()); break;
    case 5: WRITE("static int %s_%s;\n", word(), word()); break;
    case 6: WRITE("assert(%s <= 0x%x);\n", word(), random_below(65536)); break;
    default: WRITE("%s(&%s, sizeof %s);\n", word(), word(), word()); break;
    }
}

static void write_file(size_t size) {
    size_t start = 0, end = 0; /* of the last function that was written afresh */
    length = 0;
    WRITE("#include <%s.h>\n#include \"%s.h\"\n\n", word(), word());
    while (length < size) {
        if (end > start && random_below(100) < 5) {
            memcpy(text + length, text + start, end - start);
            length += end - start;
        } else {
            start = length;
            WRITE("int %s_%s(struct %s *%s) {\n", word(), word(), word(), word());
            for (unsigned lines = 3 + random_below(25); lines > 0; lines--) write_line(1 + random_below(2));
            WRITE("    return 0;\n}\n\n");
            end = length;
        }
    }
    length = size;
}

/* ---- tar ---- */

static void write_member(unsigned number) {
    char header[512] = {0};
    sprintf(header, "src/%.20s_%u.c", word(), number);
    sprintf(header + 100, "0000644");
    sprintf(header + 108, "0001750");
    sprintf(header + 116, "0001750");
    sprintf(header + 124, "%011zo", length);
    sprintf(header + 136, "14000000000");
    memcpy(header + 148, "        ", 8);
    header[156] = '0';
    memcpy(header + 257, "ustar\00000", 8);
    unsigned sum = 0;
    for (int k = 0; k < 512; k++) sum += (unsigned char)header[k];
    sprintf(header + 148, "%06o", sum);
    fwrite(header, 1, 512, stdout);

    static const char padding[512];
    fwrite(text, 1, length, stdout);
    fwrite(padding, 1, (512 - length % 512) % 512, stdout);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: gen BYTES SEED\n");
        return 1;
    }
    uint64_t bytes = strtoull(argv[1], NULL, 10);
    state = strtoull(argv[2], NULL, 10) * 1000003u + bytes;
    make_words();

    for (unsigned number = 0; bytes > 2048; number++) {
        uint64_t size = 2000 + random_below(LARGEST_FILE - 2000);
        if (size + 1536 > bytes) size = bytes - 1536;
        write_file(size);
        write_member(number);
        uint64_t used = 512 + (size + 511) / 512 * 512;
        bytes -= used < bytes ? used : bytes;
    }
    static const char end[1024];
    fwrite(end, 1, sizeof end, stdout);
    return fflush(stdout) == 0 ? 0 : 1;
}
