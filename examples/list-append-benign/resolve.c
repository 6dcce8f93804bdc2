/* Resolves the names of a small language with overloaded functions.
 *
 *     ./resolve FILE
 *
 *     scope    = "{" { item } "}"
 *     item     = "fn" name "(" types ")" ";"    declares one overload of name
 *              | "call" name "(" types ")" ";"  calls one of name's overloads
 *              | scope
 *
 * Prints how many calls found the overload that fits them.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- tokens ---- */

enum { END = 0, WORD = 1 };

static const char *at; /* the first character after the token */
static int token;      /* END, WORD or a punctuation character */
static const char *start;
static size_t length;

static void advance(void) {
    while (*at == ' ' || *at == '\n') at++;
    start = at;
    if (isalpha((unsigned char)*at)) {
        while (isalnum((unsigned char)*at)) at++;
        length = (size_t)(at - start);
        token = WORD;
    } else {
        token = *at ? *at++ : END;
    }
}

static void expect(int wanted) {
    if (token != wanted) {
        fprintf(stderr, "resolve: unexpected '%.10s'\n", start);
        exit(1);
    }
    advance();
}

static int is_word(const char *word) {
    return token == WORD && length == strlen(word) && !memcmp(start, word, length);
}

/* ---- declarations ---- */

typedef struct entity {
    unsigned long signature;  /* hash of the parameter types */
    int depth;                /* of the scope that declares it */
    struct entity *overload;  /* the next entity of the same name */
    struct entity *in_scope;  /* the next entity of the same scope */
    struct symbol *symbol;
} entity;

typedef struct symbol {
    const char *name;
    size_t length;
    entity *overloads;
} symbol;

enum { SLOTS = 1 << 16 };
static symbol symbols[SLOTS];

static void *allocate(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (!memory) {
        fprintf(stderr, "resolve: out of memory\n");
        exit(1);
    }
    return memory;
}

static unsigned long hash_word(unsigned long hash) {
    for (size_t k = 0; k < length; k++) hash = hash * 33 + (unsigned char)start[k];
    return hash;
}

static symbol *parse_name(void) {
    unsigned long hash = hash_word(5381);
    symbol *found = &symbols[hash % SLOTS];
    while (found->name && (found->length != length || memcmp(found->name, start, length)))
        found = &symbols[++hash % SLOTS];
    found->name = start;
    found->length = length;
    expect(WORD);
    return found;
}

static unsigned long parse_signature(void) {
    unsigned long hash = 1;
    expect('(');
    while (token == WORD) {
        hash = hash_word(hash);
        advance();
        if (token == ',') advance();
    }
    expect(')');
    expect(';');
    return hash;
}

/* ---- the lookup set: the overloads that a call may mean ---- */

typedef struct candidate {
    entity *entity;
    struct candidate *next;
} candidate;

/* Adds an entity unless the set has one of its signature, which then hides it. */
static candidate *lookup_set_add(candidate *set, entity *added) {
    for (candidate *c = set; c; c = c->next)
        if (c->entity->signature == added->signature)
            return set;
    candidate *made = allocate(sizeof *made);
    made->entity = added;
    made->next = set;
    return made;
}

static entity *resolve(symbol *name, unsigned long signature) {
    candidate *set = NULL;
    for (entity *e = name->overloads; e; e = e->overload)
        set = lookup_set_add(set, e);
    entity *fitting = NULL;
    while (set) {
        candidate *next = set->next;
        if (set->entity->signature == signature) fitting = set->entity;
        free(set);
        set = next;
    }
    return fitting;
}

/* ---- the program ---- */

static long calls, resolved;

static void parse_scope(int depth) {
    entity *declared = NULL;
    while (token != '}' && token != END) {
        if (token == '{') {
            advance();
            parse_scope(depth + 1);
            expect('}');
        } else if (is_word("fn")) {
            advance();
            entity *made = allocate(sizeof *made);
            made->symbol = parse_name();
            made->signature = parse_signature();
            made->depth = depth;
            made->overload = made->symbol->overloads;
            made->symbol->overloads = made;
            made->in_scope = declared;
            declared = made;
        } else if (is_word("call")) {
            advance();
            symbol *name = parse_name();
            calls++;
            resolved += resolve(name, parse_signature()) != NULL;
        } else {
            expect(END);
        }
    }
    /* The scope ends: its entities are the newest ones of their names. */
    while (declared) {
        entity *next = declared->in_scope;
        declared->symbol->overloads = declared->overload;
        free(declared);
        declared = next;
    }
}

int main(int argc, char **argv) {
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!file) {
        fprintf(stderr, "resolve: cannot open %s\n", argc == 2 ? argv[1] : "a file: none was given");
        return 1;
    }
    fseek(file, 0, SEEK_END);
    size_t bytes = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(bytes + 1, 1);
    if (!text || fread(text, 1, bytes, file) != bytes) {
        fprintf(stderr, "resolve: cannot read %s\n", argv[1]);
        return 1;
    }
    fclose(file);

    at = text;
    advance();
    parse_scope(0);
    expect(END);

    printf("bytes=%zu calls=%ld resolved=%ld\n", bytes, calls, resolved);
    free(text);
    return 0;
}
