/* The tree that the parser builds, and its lists. */
#ifndef PARSER_H
#define PARSER_H

enum kind { NUMBER, NAME, BINARY, CALL, ASSIGN, RETURN, IF, WHILE };

typedef struct node {
    enum kind kind;
    long value;        /* of a NUMBER; the name's slot of NAME, CALL and ASSIGN */
    char operator;     /* of a BINARY */
    struct node *left; /* operand, condition, assigned value, first argument */
    struct node *right;
    struct node *body; /* first statement of an IF or WHILE */
    struct node *next; /* in a list of statements or arguments */
} node;

/* Puts `added` at the end of the list and returns the list. */
node *append(node *list, node *added);

/* Parses all of `text`; returns the number of statements. */
long parse_program(const char *text);

#endif
