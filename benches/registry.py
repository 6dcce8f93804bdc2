"""Programs that are fetched and built: their sources by name and version, and the shell lines that build them."""

from dataclasses import dataclass, replace
from pathlib import Path

from sources import Crate, Debian, Project, Python

DRIVERS = Path(__file__).resolve().parent / "real-programs/drivers"
BZIP2_FILES = [f"{name}.c" for name in "blocksort bzip2 bzlib compress crctable decompress huffman randtable".split()]


@dataclass(frozen=True)
class Build:
    source: object
    build: str  # a shell line in the source's folder, under `trend-prof build` or alone
    prepare: str = ""  # a shell line before it, always alone


def debian(package, version, like):
    """Returns the build of a Debian source, with the shell lines of another build or with the given shell line."""
    like = like if isinstance(like, Build) else Build(None, like)
    return replace(like, source=Debian(package, version))


def project(package, version, features="", driver=""):
    """Returns a driver around one version of a crate; by default its file is named after the crate."""
    return Build(Project(package, version, DRIVERS / f"{driver or package.replace('-', '_')}.rs", features), CARGO)


def library(source, driver, output, files, prepare=""):
    """Returns the build of a driver and a library's files in one compiler call."""
    return Build(source, f"cc -O2 -w -o {output} '{DRIVERS / driver}' {files}", prepare)


def configured(source, target, options=""):
    """Returns the build of a program of GNU autotools, together with the parts from its own folders."""
    return Build(source, f"make -j2 {target}", f"./configure --disable-nls --disable-dependency-tracking {options}")


# `trend-prof build` puts the program into `target/trend-prof`, and cargo alone puts it into `target/release`.
CARGO = "cargo build --release && cp $(ls target/trend-prof/*/release/driver target/release/driver 2>/dev/null | head -1) driver"
CMARK_GFM = "cmake -S . -B made -DCMARK_TESTS=OFF -DCMARK_SHARED=OFF -DCMAKE_BUILD_TYPE=Release && make -C made cmark-gfm"
PAKA_CMARK = "cd paka/cmark/cmark_src && cc -O2 -I. -o ../../../cmark *.c"
MD2HTML = ("cc -O2 -w -DMD_VERSION_MAJOR=0 -DMD_VERSION_MINOR=0 -DMD_VERSION_RELEASE=0 -Isrc -o markdown src/*.c"
           " md2html/*.c")
EXPAT = "cmake -S expat -B made -DEXPAT_SHARED_LIBS=OFF -DEXPAT_BUILD_TESTS=OFF -DEXPAT_BUILD_EXAMPLES=OFF && make -C made xmlwf"
LUA = "cc -O2 -w -DLUA_USE_POSIX -o lua $(ls src/*.c | grep -v -e luac.c -e print.c) -lm"
LIBXML2 = Build(None, "make -j2 xmllint", "./configure --disable-shared --without-python --without-lzma --without-zlib"
                " --without-iconv --without-threads --without-catalog --without-xinclude --without-schemas")
JQ_TEXTS = (r"""sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' src/builtin.jq > src/builtin.inc"""
            r""" && echo '#define JQ_VERSION "1.7.1"' > src/version.h && echo '#define JQ_CONFIG ""' > src/config_opts.inc""")
JQ = Build(None, "cc -O2 -w -D_GNU_SOURCE -DIEEE_8087 -DHAVE_MEMMEM -I. -Isrc -o jq"
           " $(ls src/*.c | grep -v inject_errors) -lm -lpthread", JQ_TEXTS)
PCRE2_FILES = " ".join(f"src/pcre2_{part}.c" for part in (
    "auto_possess chartables compile config context convert dfa_match error extuni find_bracket jit_compile maketables match"
    " match_data newline ord2utf pattern_info script_run serialize string_utils study substitute substring tables ucd"
    " valid_utf xclass").split())

JSONNET = (f"c++ -O2 -w -std=c++11 -Iinclude -Ithird_party/json -Ithird_party/md5 -o jsonnet '{DRIVERS}/jsonnet_print.cpp'"
           " $(ls core/*.cpp | grep -v _test) third_party/md5/md5.cpp")
XMLLINT = Build(None, "make -j2 xmllint", "./configure --disable-shared --without-python --without-lzma --without-zlib"
                " --without-iconv --without-threads --without-catalog --without-schemas --without-ftp --without-http")
TIFF = Build(None, "cmake -S . -B made -DBUILD_SHARED_LIBS=OFF -DCMAKE_BUILD_TYPE=Release"
             + "".join(f" -D{part}=OFF" for part in "cxx zlib libdeflate pixarlog jpeg old-jpeg jpeg12 jbig lerc lzma zstd webp".split())
             + f" && make -C made -j2 tiff && cc -O2 -w -Ilibtiff -Imade/libtiff -o tiff_count '{DRIVERS}/tiff_count.c'"
             " $(find made -name libtiff.a) -lm")

JSONCPP = Build(None, f"c++ -O2 -w -Iinclude -o jsoncpp_write '{DRIVERS}/jsoncpp_write.cpp' src/lib_json/*.cpp")
CXX = "c++ -O2 -w -std=c++17"

BUILDS = {
    # Used while the guards were developed.
    "cmark 0.28.3": Build(Python("paka.cmark", "2.0.0"), PAKA_CMARK),
    "cmark 0.31.2": Build(Python("paka.cmark", "3.0.0"), PAKA_CMARK),
    "cmark-gfm 0.29.0.gfm.6": debian("cmark-gfm", "0.29.0.gfm.6", CMARK_GFM),
    "cmark-gfm 0.29.0.gfm.13": debian("cmark-gfm", "0.29.0.gfm.13", CMARK_GFM),
    "md4c 0.4.8": debian("md4c", "0.4.8", MD2HTML),
    "md4c 0.5.3": debian("md4c", "0.5.[3-9]*", MD2HTML),
    "expat 2.5.0": debian("expat", "2.5.0", EXPAT),
    "expat 2.6 or newer": debian("expat", "2.[6-9].*", EXPAT),
    "lua 5.1.5": debian("lua5.1", "5.1.5", LUA),
    "lua 5.3.6": debian("lua5.3", "5.3.6", LUA),
    "libxml2 2.9.14": debian("libxml2", "2.9.14", LIBXML2),
    "libxml2 2.12 or newer": debian("libxml2", "2.1[2-9].*", LIBXML2),
    "bzip2 1.0.8": Build(Debian("bzip2", "1.0.8"), "make bzip2"),
    "zlib 1.2.13": Build(Debian("zlib", "1.2.13"), "cc -O2 -w -I. -DHAVE_UNISTD_H -o minigzip test/minigzip.c *.c"),
    "lz4 1.9.4": Build(Debian("lz4", "1.9.4"), "make lz4"),
    "mawk 1.3.4": Build(Debian("mawk", "1.3.4.20200120"), "make mawk", "./configure"),
    "sqlite 3.45": Build(Crate("libsqlite3-sys", "0.28.0", '"bundled"'),
                         "cc -O1 -w -Isqlite3 -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -o query"
                         f" '{DRIVERS}/sqlite_query.c' sqlite3/sqlite3.c -lm"),
    "meschach 1.2b": Build(Debian("meschach", "1.2b"),
                           f"cc -O2 -w -std=gnu99 -DANSI_C -DHUGE=HUGE_VAL -I. -o matrix '{DRIVERS}/matrix.c'"
                           " $(ls *.c | grep -v -e tort -e tut -e macheps -e maxint) -lm"),
    "comrak 0.16.0": project("comrak", "0.16.0"),
    "comrak 0.18.0": project("comrak", "0.18.0"),
    "pulldown-cmark 0.12.0": project("pulldown-cmark", "0.12.0", '"html"'),
    "pulldown-cmark 0.12.2": project("pulldown-cmark", "0.12.2", '"html"'),
    "libtommath 1.2.0": Build(Debian("libtommath", "1.2.0"), f"cc -O2 -w -I. -o product '{DRIVERS}/product.c' bn_*.c"),
    # Not used while the models were developed.
    "libyaml 0.2.5": library(Debian("libyaml", "0.2.5"), "yaml_read.c", "yaml_read",
                             "-Iinclude -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5"
                             " -DYAML_VERSION_STRING='\"0.2.5\"' src/*.c"),
    "mxml 3.3.1": library(Debian("mxml", "3.3.1"), "mxml_read.c", "mxml_read", "-I. mxml-*.c -lpthread", "./configure"),
    "iniparser 4.2.6": library(Debian("iniparser", "4.2.6"), "ini_read.c", "ini_read", "-Isrc src/*.c"),
    "libconfig 1.7.3": library(Debian("libconfig", "1.7.3"), "config_read.c", "config_read",
                               "-Ilib -D_GNU_SOURCE -DPACKAGE_VERSION='\"1.7.3\"' lib/*.c"),
    "cJSON 1.7.18": library(Debian("cjson", "1.7.18"), "cjson_walk.c", "cjson_walk", "-I. cJSON.c -lm"),
    "jansson 2.14": library(Debian("jansson", "2.14"), "jansson_read.c", "jansson_read",
                            "-Imade/include -Imade/private_include -DHAVE_CONFIG_H src/*.c",
                            "cmake -S . -B made -DJANSSON_BUILD_DOCS=OFF -DJANSSON_WITHOUT_TESTS=ON"),
    "pcre2 10.42": library(Debian("pcre2", "10.42"), "pcre2_count.c", "pcre2_count",
                           f"-Isrc -DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 {PCRE2_FILES}",
                           "cd src && cp config.h.generic config.h && cp pcre2.h.generic pcre2.h"
                           " && cp pcre2_chartables.c.dist pcre2_chartables.c"),
    "zstd 1.5.4": library(Debian("libzstd", "1.5.4"), "zstd_write.c", "zstd_write",
                          "-Ilib -DZSTD_DISABLE_ASM lib/common/*.c lib/compress/*.c"),
    "brotli 1.0.9": library(Debian("brotli", "1.0.9"), "brotli_write.c", "brotli_write",
                            "-Ic/include c/common/*.c c/enc/*.c -lm"),
    "KISS FFT 131.1.0": library(Debian("kissfft", "131.1.0"), "transform.c", "transform", "-I. kiss_fft.c -lm"),
    "qhull 2020.2": Build(Debian("qhull", "2020.2"),
                          "cc -O2 -w -Isrc -o qconvex src/libqhull_r/*.c src/qconvex/qconvex_r.c -lm"),
    "zopfli 1.0.3": Build(Debian("zopfli", "1.0.3"), "cc -O2 -w -o zopfli src/zopfli/*.c -lm"),
    "mujs 1.3.6": Build(Debian("mujs", "1.3.6"), "cc -O2 -w -o mujs main.c one.c -lm"),
    "duktape 2.7.0": Build(Debian("duktape", "2.7.0"),
                           "cc -O2 -w -Isrc -Iextras/print-alert -Iexamples/cmdline -DDUK_CMDLINE_PRINTALERT_SUPPORT -o duk"
                           " src/duktape.c examples/cmdline/duk_cmdline.c extras/print-alert/duk_print_alert.c -lm"),
    "jq 1.7.1": debian("jq", "1.7.1", JQ),
    "tidy 5.6.0": Build(Debian("tidy-html5", "5.6.0"),
                        "cmake -S . -B made -DBUILD_SHARED_LIB=OFF -DCMAKE_BUILD_TYPE=Release && make -C made -j2 tidy"),
    "discount 2.2.7": Build(Debian("discount", "2.2.7"), "make markdown", "./configure.sh"),
    "picosat 965": Build(Debian("picosat", "965"), "make picosat", "./configure.sh -O"),
    "potrace 1.16": configured(Debian("potrace", "1.16"), "", "--disable-shared"),
    "bc 1.07.1": configured(Debian("bc", "1.07.1"), "-C lib && make -C dc"),
    "diffutils 3.8": configured(Debian("diffutils", "3.8"), "-C lib && make -C src version.h diff"),
    "m4 1.4.19": configured(Debian("m4", "1.4.19"), "-C lib && make -C src"),
    "quick-xml 0.39.4": project("quick-xml", "0.39.4"),
    "quick-xml 0.41.0": project("quick-xml", "0.41.0"),
    # Further pairs of releases.
    "jq 1.6": debian("jq", "1.6", JQ),
    "lua 5.4.7": debian("lua5.4", "5.4.7", LUA),
    "tiff 4.2.0": debian("tiff", "4.2.0", TIFF),
    "tiff 4.5.0": debian("tiff", "4.5.0", TIFF),
    "xmllint 2.9.10": debian("libxml2", "2.9.10", XMLLINT),
    "xmllint 2.9.14": debian("libxml2", "2.9.14", XMLLINT),
    "jsoncpp 1.9.6": debian("libjsoncpp", "1.9.6", JSONCPP),
    "jsoncpp 1.9.8 or newer": debian("libjsoncpp", "1.9.[89]*", JSONCPP),
    "jsonnet 0.12.1": Build(Python("jsonnet", "0.12.1"), JSONNET),
    "jsonnet 0.13.0": Build(Python("jsonnet", "0.13.0"), JSONNET),
    "sqlparser 0.61.0": project("sqlparser", "0.61.0", '"std", "recursive-protection"'),
    "sqlparser 0.64.0": project("sqlparser", "0.64.0", '"std", "recursive-protection"'),
    "full_moon 0.19.0": project("full_moon", "0.19.0"),
    "full_moon 1.0.0": project("full_moon", "1.0.0"),
    "unsafe-libyaml 0.2.10": project("unsafe-libyaml", "0.2.10"),
    "unsafe-libyaml 0.2.11": project("unsafe-libyaml", "0.2.11"),
    "toml 0.5.3": project("toml", "0.5.3", driver="toml_value"),
    "toml 0.5.5": project("toml", "0.5.5", driver="toml_value"),
    # Programs whose loops are watched.
    "tinyxml2 9.0.0": Build(Debian("tinyxml2", "9.0.0"), f"{CXX} -I. -o program '{DRIVERS}/tinyxml2_print.cpp' tinyxml2.cpp"),
    "jsoncpp 1.9.5": Build(Debian("libjsoncpp", "1.9.5"),
                           f"{CXX} -Iinclude -o program '{DRIVERS}/jsoncpp_write.cpp' src/lib_json/*.cpp"),
    "yaml-cpp 0.8.0": Build(Debian("yaml-cpp", "0.8.0"), f"{CXX} -Iinclude -o program '{DRIVERS}/yaml_lookup.cpp' src/*.cpp"),
    "csv 1.4.0": project("csv", "1.4.0"),
    "serde_json 1.0.154": project("serde_json", "1.0.154", '"std"'),
    "toml 1.2.1": project("toml", "1.2.1", '"std", "serde", "parse", "display"'),
    "petgraph 0.8.1": project("petgraph", "0.8.1", '"std"'),
    "regex 1.13.2": project("regex", "1.13.2", '"std", "perf", "unicode"'),
    "lz4_flex 0.14.0": project("lz4_flex", "0.14.0", '"std", "safe-encode", "safe-decode"'),
}
