// Reads an XML document with tinyxml2, looks at each attribute, and prints the document.
#include <cstdio>

#include "tinyxml2.h"

static int attributes(const tinyxml2::XMLElement *element) {
    int count = 0;
    for (const tinyxml2::XMLAttribute *one = element->FirstAttribute(); one; one = one->Next()) count++;
    for (const tinyxml2::XMLElement *child = element->FirstChildElement(); child; child = child->NextSiblingElement())
        count += attributes(child);
    return count;
}

int main(int, char **argv) {
    tinyxml2::XMLDocument document;
    if (document.LoadFile(argv[1]) != tinyxml2::XML_SUCCESS) return 1;
    tinyxml2::XMLPrinter printer;
    document.Print(&printer);
    std::printf("%d\n%s", attributes(document.RootElement()), printer.CStr());
}
