/* Every kind of control flow that C has. */
#include "shared.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int other(int n);
volatile int sink;
static jmp_buf back;

static int first(int n) { return n + 1; } static int second(int n) { return n > 2 ? first(n) : 2; }

static int dense(int n) {
  switch (n % 9) {
  case 0: return 3;
  case 1: sink++; /* fall through */
  case 2: return 5;
  case 3: case 4: return 8;
  case 5: sink += 2; break;
  case 6: return 1;
  case 7: sink--; break;
  default: return -1;
  }
  return n;
}

static int sparse(int n) {
  switch (n) {
  case 1: return 1;
  case 1000: return 2;
  case 100000: return 3;
  }
  return 0;
}

__attribute__((noinline)) static void jump(int n) {
  if (n > 3)
    longjmp(back, n);
  sink += n;
}

static int jumping(int n) {
  volatile int tries = 0;
  int came_back = setjmp(back);
  if (came_back == 0 || tries < 3) {
    tries++;
    jump(n + tries);
  }
  return tries;
}

static int irreducible(int n) {
  int i = 0;
  if (n & 1)
    goto inside;
  while (i < n) {
    i++;
    sink += i;
  inside:
    if (i % 3 == 1)
      i += 2;
    else
      i++;
  }
  return i;
}

static int without_arcs(void) { return 4; }

static void never_called(int n) {
  for (int i = 0; i < n; i++)
    printf("%d\n", i);
}

static int unreachable(int n) {
  if (n > 0)
    return n;
  return -n;
  sink = 9;
  while (sink)
    sink--;
}

static long sum_of(int n, ...) {
  va_list rest;
  long sum = 0;
  va_start(rest, n);
  for (int i = 0; i < n; i++)
    sum += va_arg(rest, int);
  va_end(rest);
  return sum;
}

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static int short_circuit(int a, int b, int c) {
  return (a && b) || (b && !c) || (a ? b : c);
}

static void endless(int n) {
  if (n < 0)
    for (;;)
      sink++;
}

#ifdef __GNUC__
static int one_of(int n) {
  do {
    if (--n < 3)
      break;
  } while (n % 5);
  return n;
}
#endif

#line 70000 "grammar.y"
static int generated(int n) {
  int i = 0;
  while (i * i < n)
    i++;
  return i;
}
#line 120 "flow.c"

int main(int argc, char **argv) {
  long sum = 0;
  (void)argv;
  if (argc > 5)
    never_called(argc);
  for (int i = 0; i < 50; i++) {
    sum += first(i) + second(i) + dense(i) + sparse(i * 1000) + irreducible(i);
    sum += unreachable(i - 25) + short_circuit(i & 1, i & 2, i & 4) + generated(i) + one_of(i);
    if (i % 10 == 0)
      sum += jumping(i);
    sum += gcd(i, 36) + scaled(i) + without_arcs();
    endless(i);
  }
  sum += sum_of(4, 1, 2, 3, 4) + fibonacci(12) + other(20);
  char text[8];
  strcpy(text, sum > 0 ? "plus" : "minus");
  printf("%ld %s\n", sum, text);
  return 0;
}
