/* Reads an INI file with iniparser. */
#include <stdio.h>

#include "iniparser.h"

int main(int argc, char **argv) {
    dictionary *settings = argc == 2 ? iniparser_load(argv[1]) : NULL;
    if (!settings) return 1;
    printf("%zd\n", (ssize_t)settings->n);
    iniparser_freedict(settings);
    return 0;
}
