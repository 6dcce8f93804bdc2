#include <arpa/inet.h>
#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
struct word { char *text; struct word *next; };
static struct word *words;
static void add(char *text) {
    struct word **at = &words;
    while (*at && strcmp((*at)->text, text) < 0) at = &(*at)->next;
    struct word *new = malloc(sizeof *new);
    new->text = strdup(text); new->next = *at; *at = new;
}
static int split(char *text) {
    int count = 0;
    for (char *at = text; *at;) {
        while (*at && !isalnum((unsigned char)*at)) at++;
        char *start = at;
        while (isalnum((unsigned char)*at)) at++;
        if (at > start) { char end = *at; *at = 0; add(start); count++; if (end) at++; }
    }
    return count;
}
static void answer(int connection) {
    char request[4096], line[256];
    ssize_t length = read(connection, request, sizeof request - 1);
    if (length <= 0) exit(1);
    request[length] = 0;
    int n = snprintf(line, sizeof line, "%d words\n", split(request));
    if (write(connection, line, n) < 0) exit(1);
    for (struct word *word = words; word; word = word->next)
        if (write(connection, word->text, strlen(word->text)) < 0) exit(1);
}
int main(int count, char **of) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(atoi(of[2])), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int yes = 1, server = socket(AF_INET, SOCK_STREAM, 0);
    setsockopt(server, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (bind(server, (struct sockaddr *)&at, sizeof at) || listen(server, 64)) return 1;
    signal(SIGCHLD, SIG_IGN);
    for (;;) {
        int connection = accept(server, 0, 0);
        if (connection < 0) continue;
        if (fork() == 0) { answer(connection); close(connection); exit(0); }
        close(connection);
    }
}
