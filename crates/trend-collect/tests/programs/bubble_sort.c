#include <stdlib.h>
static void bubble_sort(int *a, int n) {
  for (int i = 0; i < n; i++)
    for (int j = i + 1; j < n; j++)
      if (a[i] > a[j]) {
        int swapped = a[i];
        a[i] = a[j];
        a[j] = swapped;
      }
}
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 60;
  int *a = malloc(n * sizeof *a);
  for (int i = 0; i < n; i++)
    a[i] = i;
  bubble_sort(a, n);
  free(a);
  return 0;
}
