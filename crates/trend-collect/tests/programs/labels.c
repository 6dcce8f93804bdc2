/* Computed goto: a small interpreter. */
int main(void) {
  static const unsigned char code[] = {0, 1, 0, 2, 1, 0, 3};
  static void *const labels[] = {&&add, &&sub, &&back, &&stop};
  int at = 0, sum = 0, backs = 0;
  goto *labels[code[at]];
add:
  sum += 2;
  goto *labels[code[++at]];
sub:
  sum--;
  goto *labels[code[++at]];
back:
  if (++backs < 10)
    at = 0;
  goto *labels[code[++at]];
stop:
  return sum > 100;
}
