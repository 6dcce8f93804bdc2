// arguments: docs=5..80 words=10..80 vocabulary=5..100 queries=1..20
// Builds an index from words to the documents that hold them and answers queries for two words at once.
#include <map>
#include <string>
#include <vector>
#include "trips.h"

typedef std::vector<int> Postings;
typedef std::map<std::string, Postings> Index;

static unsigned seed = 89;

// in terms of the arguments: differs
__attribute__((noinline)) static std::string spell(int number) { CALL;
    std::string word;
    do { TRIP;
        word += static_cast<char>('a' + number % 26);
        number /= 26;
    } while (number > 0);
    return word;
}

__attribute__((noinline)) static std::string compose(int words, int vocabulary) { CALL;
    std::string text;
    for (int i = 0; i < words; i++) { TRIP;
        if (i > 0) text += ' ';
        text += spell(vocabulary > 0 ? next_number(&seed) % vocabulary : 0);
    }
    return text;
}

// in terms of the arguments: differs
__attribute__((noinline)) static void add(Index &index, int doc, const std::string &text) { CALL;
    size_t start = 0;
    while (start < text.size()) { TRIP;
        size_t end = start;
        while (end < text.size() && text[end] != ' ') { TRIP;
            end++;
        }
        Postings &postings = index[text.substr(start, end - start)];
        if (postings.empty() || postings.back() != doc) postings.push_back(doc);
        start = end + 1;
    }
}

// in terms of the arguments: texts.size() = docs
__attribute__((noinline)) static Index build(const std::vector<std::string> &texts) { CALL;
    Index index;
    for (size_t d = 0; d < texts.size(); d++) { TRIP;
        add(index, static_cast<int>(d), texts[d]);
    }
    return index;
}

// in terms of the arguments: differs
__attribute__((noinline)) static Postings both(const Postings &a, const Postings &b) { CALL;
    Postings common;
    Postings::const_iterator i = a.begin(), j = b.begin();
    while (i != a.end() && j != b.end()) { TRIP;
        if (*i < *j) {
            ++i;
        } else if (*j < *i) {
            ++j;
        } else {
            common.push_back(*i);
            ++i;
            ++j;
        }
    }
    return common;
}

// in terms of the arguments: texts.size() = docs
int main(int argc, char **argv) {
    int docs = atoi(argv[1]), words = atoi(argv[2]), vocabulary = atoi(argv[3]), queries = atoi(argv[4]);
    std::vector<std::string> texts;
    for (int d = 0; d < docs; d++) { TRIP;
        texts.push_back(compose(words, vocabulary));
    }
    Index index = build(texts);
    double sum = 0.0;
    for (int q = 0; q < queries; q++) { TRIP;
        Index::const_iterator a = index.find(spell(q)), b = index.find(spell(2 * q + 1));
        if (a == index.end() || b == index.end()) continue;
        for (int doc : both(a->second, b->second)) { TRIP;
            sum += doc + 1;
        }
    }
    size_t longest = 0;
    for (const auto &entry : index) { TRIP;
        if (entry.second.size() > longest) longest = entry.second.size();
        for (char letter : entry.first) { TRIP;
            sum += letter - 'a';
        }
    }
    printf("%g %zu\n", sum, longest);
    return 0;
}
