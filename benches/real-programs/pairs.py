"""Further faults for `trend-prof diff`: a public release with a known fault, and one with its fix. They are in addition
to `programs.py` and `unseen.py`, and include exponential growth and memory."""

from programs import CARGO, DRIVERS, LUA, Build, Case, sizes
from sources import Debian, Project, Python
from unseen import JQ_TEXTS


def project(package, version, driver="", features=""):
    """Returns a driver around one version of a crate; by default its file is named after the crate."""
    return Build(Project(package, version, DRIVERS / f"{driver or package.replace('-', '_')}.rs", features), CARGO)


JQ = Build(None, "cc -O2 -w -D_GNU_SOURCE -DIEEE_8087 -DHAVE_MEMMEM -I. -Isrc -o jq"
           " $(ls src/*.c | grep -v inject_errors) -lm -lpthread", JQ_TEXTS)
JSONNET = (f"c++ -O2 -w -std=c++11 -Iinclude -Ithird_party/json -Ithird_party/md5 -o jsonnet '{DRIVERS}/jsonnet_print.cpp'"
           " $(ls core/*.cpp | grep -v _test) third_party/md5/md5.cpp")
XMLLINT = Build(None, "make -j2 xmllint", "./configure --disable-shared --without-python --without-lzma --without-zlib"
                " --without-iconv --without-threads --without-catalog --without-schemas --without-ftp --without-http")
TIFF = Build(None, "cmake -S . -B made -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE=Release"
             + "".join(f" -D{part}=OFF" for part in "cxx zlib libdeflate pixarlog jpeg old-jpeg jpeg12 jbig lerc lzma zstd webp".split())
             + f" && make -C made -j2 tiff && cc -O2 -w -Ilibtiff -Imade/libtiff -o tiff_count '{DRIVERS}/tiff_count.c'"
             " $(find made -name libtiff.a) -lm")

JSONCPP = Build(None, f"c++ -O2 -w -Iinclude -o jsoncpp_write '{DRIVERS}/jsoncpp_write.cpp' src/lib_json/*.cpp")

# The search for the end of a line in jsoncpp's `containsNewLine`.
NEW_LINE = ("std::__find_if<char const*, __gnu_cxx::__ops::_Iter_pred<Json::OurReader::containsNewLine(char const*, char const*)"
            "::{lambda(char)#1}> >(char const*, char const*, __gnu_cxx::__ops::_Iter_pred<Json::OurReader::containsNewLine("
            "char const*, char const*)::{lambda(char)#1}>, std::random_access_iterator_tag)")


def debian(package, version, like):
    return Build(Debian(package, version), like.build, like.prepare)


BUILDS = {
    "jq 1.6": debian("jq", "1.6", JQ),
    "lua 5.4.7": Build(Debian("lua5.4", "5.4.7"), LUA),
    "tiff 4.2.0": debian("tiff", "4.2.0", TIFF),
    "tiff 4.5.0": debian("tiff", "4.5.0", TIFF),
    "xmllint 2.9.10": debian("libxml2", "2.9.10", XMLLINT),
    "xmllint 2.9.14": debian("libxml2", "2.9.14", XMLLINT),
    "jsoncpp 1.9.6": debian("libjsoncpp", "1.9.6", JSONCPP),
    "jsoncpp 1.9.8 or newer": debian("libjsoncpp", "1.9.[89]*", JSONCPP),
    "jsonnet 0.12.1": Build(Python("jsonnet", "0.12.1"), JSONNET),
    "jsonnet 0.13.0": Build(Python("jsonnet", "0.13.0"), JSONNET),
    "sqlparser 0.61.0": project("sqlparser", "0.61.0", features='"std", "recursive-protection"'),
    "sqlparser 0.64.0": project("sqlparser", "0.64.0", features='"std", "recursive-protection"'),
    "full_moon 0.19.0": project("full_moon", "0.19.0"),
    "full_moon 1.0.0": project("full_moon", "1.0.0"),
    "unsafe-libyaml 0.2.10": project("unsafe-libyaml", "0.2.10"),
    "unsafe-libyaml 0.2.11": project("unsafe-libyaml", "0.2.11"),
    "toml 0.5.3": project("toml", "0.5.3", "toml_value"),
    "toml 0.5.5": project("toml", "0.5.5", "toml_value"),
}

FAULTS = [
    # Exponential growth.
    Case("sqlparser: dotted names", ["./driver", "{input}"], list(range(3, 18)), (19, 21), "dotted_names",
         "sqlparser 0.61.0", "sqlparser 0.64.0", ("<Parser>::parse_compound_expr", "<Parser>::parse_subexpr", "<Parser>::parse_prefix")),
    Case("full_moon: nested operators", ["./driver", "{input}"], list(range(1, 9)), (9, 10), "nested_operators",
         "full_moon 0.19.0", "full_moon 1.0.0", ("<ParseExpressionAtPrecedence as Parser>::parse::{closure#0}",)),
    Case("libxml2: nested fallbacks", ["./xmllint", "--xinclude", "--nowarning", "--noout", "{input}"], list(range(1, 9)), (9, 10),
         "nested_fallbacks", "xmllint 2.9.10", "xmllint 2.9.14", ("xmlXIncludeLoadFallback", "xmlXIncludeDoProcess", "xmlCopyPropList")),
    # Memory, and the code that fills it.
    Case("cmark: a long address referred to", ["./cmark", "{input}"], sizes(100, 6000), (9000, 12000), "long_reference",
         "cmark 0.28.3", "cmark 0.31.2", ("houdini_escape_href", "S_render_node"), is_timed=True),
    # Quadratic growth.
    Case("jq: update of each value", ["./jq", ".[] |= . + 1 | length", "{input}"], sizes(30, 3000), (6000, 12000), "json_values",
         "jq 1.6", "jq 1.7.1", ("jvp_array_write", "jv_array_set", "jv_copy")),
    Case("lua: keys that are multiples of a power of two", ["./lua", str(DRIVERS / "powers.lua"), "{n}"], sizes(30, 4000),
         (8000, 16000), "", "lua 5.3.6", "lua 5.4.7", ("luaH_getint",)),
    Case("tiff: many pictures", ["./tiff_count", "{input}"], sizes(30, 4000), (8000, 16000), "tiff_pictures",
         "tiff 4.2.0", "tiff 4.5.0", ("TIFFCheckDirOffset",)),
    Case("libxml2: a long attribute of HTML in pieces", ["./xmllint", "--html", "--push", "--noout", "{input}"],
         sizes(10_000, 1_000_000), (2_000_000, 4_000_000), "long_attribute", "xmllint 2.9.10", "xmllint 2.9.14",
         ("htmlParseLookupSequence",)),
    Case("jsoncpp: many comments", ["./jsoncpp_write", "{input}"], sizes(30, 4000), (8000, 16000), "json_comments",
         "jsoncpp 1.9.6", "jsoncpp 1.9.8 or newer", (NEW_LINE,)),
    Case("jsonnet: sorting what is sorted", ["./jsonnet", "{input}"], sizes(60, 1200), (2400, 3600), "jsonnet_sort",
         "jsonnet 0.12.1", "jsonnet 0.13.0", ("(anonymous namespace)::Interpreter::evaluate(AST const*, unsigned int)",)),
    Case("unsafe-libyaml: deep nesting", ["./driver", "{input}"], sizes(400, 12_000), (24_000, 48_000), "yaml_nested",
         "unsafe-libyaml 0.2.10", "unsafe-libyaml 0.2.11", ("unsafe_libyaml::scanner::yaml_parser_stale_simple_keys",)),
    Case("toml: many tables", ["./driver", "{input}"], sizes(30, 3000), (6000, 12000), "toml_tables",
         "toml 0.5.3", "toml 0.5.5", ("<MapVisitor as MapAccess>::next_key_seed::<PhantomData<String>>::{closure#0}",)),
]
