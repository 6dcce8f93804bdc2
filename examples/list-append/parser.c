/* A recursive-descent parser for a small C:
 *
 *     program   = { "func" name block }
 *     block     = "{" { statement } "}"
 *     statement = name "=" sum ";" | "return" sum ";"
 *               | ( "if" | "while" ) "(" sum ")" block
 *     sum       = product { ( "+" | "-" | "<" ) product }
 *     product   = factor { "*" factor }
 *     factor    = number | name [ "(" [ sum { "," sum } ] ")" ] | "(" sum ")"
 *
 * A function is checked and forgotten as soon as it is parsed.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parser.h"

/* ---- tokens ---- */

enum { END = 0, IDENTIFIER = 1, INTEGER = 2, FUNC, IF_WORD, WHILE_WORD, RETURN_WORD };

static const char *at;  /* the first character after the token */
static int token;       /* one of the above, or a punctuation character */
static const char *start;
static size_t length;
static long line_number;

static int is_word(const char *word) {
    return length == strlen(word) && !memcmp(start, word, length);
}

static void advance(void) {
    while (*at == ' ' || *at == '\n') {
        if (*at == '\n') line_number++;
        at++;
    }
    start = at;
    if (isalpha((unsigned char)*at)) {
        while (isalnum((unsigned char)*at) || *at == '_') at++;
        length = (size_t)(at - start);
        token = IDENTIFIER;
        if (is_word("func")) token = FUNC;
        else if (is_word("if")) token = IF_WORD;
        else if (is_word("while")) token = WHILE_WORD;
        else if (is_word("return")) token = RETURN_WORD;
    } else if (isdigit((unsigned char)*at)) {
        while (isdigit((unsigned char)*at)) at++;
        length = (size_t)(at - start);
        token = INTEGER;
    } else {
        token = *at ? *at++ : END;
    }
}

static void expect(int wanted) {
    if (token != wanted) {
        fprintf(stderr, "parser: line %ld: unexpected '%.1s'\n", line_number + 1, start);
        exit(1);
    }
    advance();
}

/* ---- names ---- */

enum { SLOTS = 1 << 16 };
static struct {
    const char *name;
    size_t length;
    long uses;
} names[SLOTS];

static long slot_of_name(void) {
    unsigned long hash = 5381;
    for (size_t k = 0; k < length; k++) hash = hash * 33 + (unsigned char)start[k];
    for (;; hash++) {
        long slot = (long)(hash % SLOTS);
        if (!names[slot].name) {
            names[slot].name = start;
            names[slot].length = length;
        }
        if (names[slot].length == length && !memcmp(names[slot].name, start, length)) {
            names[slot].uses++;
            return slot;
        }
    }
}

/* ---- the tree ---- */

static long statements;

static node *new_node(enum kind kind) {
    node *made = calloc(1, sizeof *made);
    if (!made) {
        fprintf(stderr, "parser: out of memory\n");
        exit(1);
    }
    made->kind = kind;
    return made;
}

static node *parse_sum(void);

static node *parse_factor(void) {
    node *made;
    if (token == INTEGER) {
        made = new_node(NUMBER);
        made->value = strtol(start, NULL, 10);
        advance();
    } else if (token == IDENTIFIER) {
        made = new_node(NAME);
        made->value = slot_of_name();
        advance();
        if (token == '(') {
            made->kind = CALL;
            advance();
            while (token != ')') {
                made->left = append(made->left, parse_sum());
                if (token == ',') advance();
            }
            advance();
        }
    } else {
        expect('(');
        made = parse_sum();
        expect(')');
    }
    return made;
}

static node *parse_product(void) {
    node *left = parse_factor();
    while (token == '*') {
        node *made = new_node(BINARY);
        made->operator = '*';
        advance();
        made->left = left;
        made->right = parse_factor();
        left = made;
    }
    return left;
}

static node *parse_sum(void) {
    node *left = parse_product();
    while (token == '+' || token == '-' || token == '<') {
        node *made = new_node(BINARY);
        made->operator = (char)token;
        advance();
        made->left = left;
        made->right = parse_product();
        left = made;
    }
    return left;
}

static node *parse_block(void);

static node *parse_statement(void) {
    node *made;
    statements++;
    if (token == IF_WORD || token == WHILE_WORD) {
        made = new_node(token == IF_WORD ? IF : WHILE);
        advance();
        expect('(');
        made->left = parse_sum();
        expect(')');
        made->body = parse_block();
        return made;
    }
    if (token == RETURN_WORD) {
        made = new_node(RETURN);
        advance();
    } else {
        made = new_node(ASSIGN);
        made->value = slot_of_name();
        expect(IDENTIFIER);
        expect('=');
    }
    made->left = parse_sum();
    expect(';');
    return made;
}

static node *parse_block(void) {
    node *list = NULL;
    expect('{');
    while (token != '}' && token != END)
        list = append(list, parse_statement());
    expect('}');
    return list;
}

/* Every operator has its operands, every statement its expression. */
static void check_and_free(node *n) {
    while (n) {
        node *next = n->next;
        if ((n->kind == BINARY && !(n->left && n->right)) || (n->kind >= ASSIGN && !n->left)) {
            fprintf(stderr, "parser: a node without its operands\n");
            exit(1);
        }
        check_and_free(n->left);
        check_and_free(n->right);
        check_and_free(n->body);
        free(n);
        n = next;
    }
}

long parse_program(const char *text) {
    at = text;
    advance();
    while (token != END) {
        expect(FUNC);
        slot_of_name();
        expect(IDENTIFIER);
        check_and_free(parse_block());
    }
    return statements;
}
