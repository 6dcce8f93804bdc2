// Reads YAML documents with yaml-cpp, looks up each key of each map by its name, and adds up those that are numbers: the others
// throw.
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "yaml-cpp/yaml.h"

__attribute__((noinline)) static long look_up(const YAML::Node &map, const std::vector<std::string> &keys) {
    long sum = 0;
    for (const std::string &key : keys) {
        try {
            sum += map[key].as<long>();
        } catch (const YAML::BadConversion &) {
            sum--;
        }
    }
    return sum;
}

int main(int argc, char **argv) {
    std::ifstream file(argv[1]);
    for (const YAML::Node &map : YAML::LoadAll(file)) {
        std::vector<std::string> keys;
        for (const auto &pair : map) keys.push_back(pair.first.as<std::string>());
        std::cout << keys.size() << " " << look_up(map, keys) << "\n";
    }
}
