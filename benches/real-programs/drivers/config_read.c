/* Reads a configuration with libconfig. */
#include <stdio.h>

#include "libconfig.h"

int main(int argc, char **argv) {
    config_t config;
    config_init(&config);
    if (argc != 2 || config_read_file(&config, argv[1]) != CONFIG_TRUE) {
        fprintf(stderr, "%s\n", config_error_text(&config));
        return 1;
    }
    printf("%d\n", config_setting_length(config_root_setting(&config)));
    config_destroy(&config);
    return 0;
}
