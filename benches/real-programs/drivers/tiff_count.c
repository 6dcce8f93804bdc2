/* Counts the pictures in a TIFF file. */
#include <stdio.h>

#include "tiffio.h"

int main(int argc, char **argv) {
    TIFF *tiff = argc == 2 ? TIFFOpen(argv[1], "r") : NULL;
    long count = 0;
    if (!tiff) return 2;
    do count++;
    while (TIFFReadDirectory(tiff));
    printf("%ld\n", count);
    TIFFClose(tiff);
    return 0;
}
