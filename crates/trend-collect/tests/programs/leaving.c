/* The program ends far away from main's return. */
#include <stdio.h>
#include <stdlib.h>

volatile int sink;

__attribute__((noinline)) static void leave(int n) {
  if (n == 7)
    exit(0);
  sink += n;
}

__attribute__((noinline)) static void deeper(int n) {
  for (int i = 0; i < n; i++) {
    if (i % 2)
      leave(i);
    else
      sink--;
  }
}

int main(void) {
  for (int i = 0; i < 20; i++)
    deeper(i);
  return 0;
}
