#include <omp.h>
int main(void) {
  long sum = 0;
  omp_set_num_threads(3);
#pragma omp parallel reduction(+ : sum)
  {
#pragma omp for
    for (int i = 0; i < 300; i++)
      if (i % 3 == 0)
        sum += i;
  }
  return sum == 0;
}
