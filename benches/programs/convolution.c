#include <stdio.h>
static float in[1030][1030], out[1030][1030], kernel[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
__attribute__((noinline)) void convolve(int h, int w) {
    for (int y = 1; y < h - 1; y++) for (int x = 1; x < w - 1; x++) {
        float s = 0;
        for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) s += in[y + i - 1][x + j - 1] * kernel[i][j];
        out[y][x] = s;
    }
}
int main(void) {
    for (int i = 0; i < 1024; i++) for (int j = 0; j < 1024; j++) in[i][j] = i * j % 7;
    for (int r = 0; r < 300; r++) { convolve(1024, 1024); in[r % 1024][5] = out[7][r % 1024]; }
    printf("%g\n", out[511][300]); return 0;
}
