#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *join(int n) {
  char *all = calloc(n + 1, 1);
  for (int i = 0; i < n; i++)
    strcat(all, "x"); /* planted: looks for the end each time */
  return all;
}

static long drain(int n) {
  int *queue = malloc(n * sizeof *queue);
  long sum = 0;
  for (int i = 0; i < n; i++)
    queue[i] = i;
  while (n > 0) {
    sum += queue[0];
    memmove(queue, queue + 1, --n * sizeof *queue); /* planted: moves all that is behind */
  }
  free(queue);
  return sum;
}

static long count(const char *text) {
  long found = 0;
  for (size_t i = 0; i < strlen(text); i++) { /* planted: strlen each time */
    found += text[i] == 'x';
    __asm__ volatile("" ::: "memory");
  }
  return found;
}

int main(int argc, char **argv) {
  int n = atoi(argv[1]);
  char *all = join(n);
  printf("%ld %ld\n", drain(n), count(all));
  free(all);
  return 0;
}
