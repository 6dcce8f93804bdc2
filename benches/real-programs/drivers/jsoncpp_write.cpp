// Reads a JSON document with jsoncpp, adds up the numbers of its records, and writes it with indentation.
#include <fstream>
#include <iostream>

#include "json/json.h"

int main(int, char **argv) {
    std::ifstream file(argv[1]);
    Json::Value root;
    file >> root;
    long sum = 0;
    for (const Json::Value &record : root)
        for (const std::string &name : record.getMemberNames())
            if (record[name].isInt()) sum += record[name].asInt();
    std::cout << sum << "\n" << root << "\n";
}
