/* Evaluates a program in Jsonnet; the stack may be as deep as it likes. */
#include <fstream>
#include <iostream>
#include <sstream>

extern "C" {
#include "libjsonnet.h"
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    std::ifstream file(argv[1]);
    std::stringstream text;
    text << file.rdbuf();
    JsonnetVm *vm = jsonnet_make();
    jsonnet_max_stack(vm, 1000000);
    int error = 0;
    char *output = jsonnet_evaluate_snippet(vm, argv[1], text.str().c_str(), &error);
    std::cout << output;
    jsonnet_realloc(vm, output, 0);
    jsonnet_destroy(vm);
    return error;
}
