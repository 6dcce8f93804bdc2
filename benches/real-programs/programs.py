"""Programs and cases of the study: builds of real programs, and cases, each with sizes, an input and its known growth."""

from dataclasses import dataclass, field
from pathlib import Path

from sources import Crate, Debian, Project, Python

DRIVERS = Path(__file__).resolve().parent / "drivers"


@dataclass(frozen=True)
class Build:
    source: object
    build: str  # a shell line, run under `trend-prof build` in the source's folder
    prepare: str = ""  # a shell line before it, without instrumentation


@dataclass(frozen=True)
class Case:
    """One program on one kind of input.

    The growth of every function and line is known from `beyond`: two sizes larger than any that trend-prof sees. `grows`
    names functions whose growth is known from the algorithm, with the classes that are true of them."""

    name: str
    command: list  # `{input}` and `{n}` stand for the workload's
    sizes: list
    beyond: tuple
    generator: str = ""
    faulty: str = ""  # the build with the fault; empty where the code is honest
    build: str = ""  # the build with the fix, or the honest program
    fault: tuple = ()  # functions that hold the fault: at least one must be found
    grows: dict = field(default_factory=dict)
    sorts: bool = False  # honest code that sorts: `n log n` is true there, even of rows where it no longer shows beyond
    is_timed: bool = False  # runs without counters as well: the fault is in memory, or in code that is not counted
    is_slower_elsewhere: bool = False  # the release that mended the fault costs more on what hides it


def sizes(low, high, count=10):
    """`count` sizes from `low` to `high`, evenly spaced on a log scale."""
    return [round(low * (high / low) ** (i / (count - 1))) for i in range(count)]


CMARK_GFM = "cmake -S . -B made -DCMARK_TESTS=OFF -DCMARK_SHARED=OFF -DCMAKE_BUILD_TYPE=Release && make -C made cmark-gfm"
PAKA_CMARK = "cd paka/cmark/cmark_src && cc -O2 -I. -o ../../../cmark *.c"
MD2HTML = ("cc -O2 -w -DMD_VERSION_MAJOR=0 -DMD_VERSION_MINOR=0 -DMD_VERSION_RELEASE=0 -Isrc -o markdown src/*.c"
           " md2html/*.c")
EXPAT = "cmake -S expat -B made -DEXPAT_SHARED_LIBS=OFF -DEXPAT_BUILD_TESTS=OFF -DEXPAT_BUILD_EXAMPLES=OFF && make -C made xmlwf"
LUA = "cc -O2 -w -DLUA_USE_POSIX -o lua $(ls src/*.c | grep -v -e luac.c -e print.c) -lm"
LIBXML2 = Build(None, "make -j2 xmllint", "./configure --disable-shared --without-python --without-lzma --without-zlib"
                " --without-iconv --without-threads --without-catalog --without-xinclude --without-schemas")
# The driver is in a folder named after the target.
CARGO = "cargo build --release && cp target/trend-prof/*/release/driver driver"


def project(package, version, features=""):
    return Build(Project(package, version, DRIVERS / f"{package.replace('-', '_')}.rs", features), CARGO)


BUILDS = {
    "cmark 0.28.3": Build(Python("paka.cmark", "2.0.0"), PAKA_CMARK),
    "cmark 0.31.2": Build(Python("paka.cmark", "3.0.0"), PAKA_CMARK),
    "cmark-gfm 0.29.0.gfm.6": Build(Debian("cmark-gfm", "0.29.0.gfm.6"), CMARK_GFM),
    "cmark-gfm 0.29.0.gfm.13": Build(Debian("cmark-gfm", "0.29.0.gfm.13"), CMARK_GFM),
    "md4c 0.4.8": Build(Debian("md4c", "0.4.8"), MD2HTML),
    "md4c 0.5.3": Build(Debian("md4c", "0.5.[3-9]*"), MD2HTML),
    "expat 2.5.0": Build(Debian("expat", "2.5.0"), EXPAT),
    "expat 2.6 or newer": Build(Debian("expat", "2.[6-9].*"), EXPAT),
    "lua 5.1.5": Build(Debian("lua5.1", "5.1.5"), LUA),
    "lua 5.3.6": Build(Debian("lua5.3", "5.3.6"), LUA),
    "libxml2 2.9.14": Build(Debian("libxml2", "2.9.14"), LIBXML2.build, LIBXML2.prepare),
    "libxml2 2.12 or newer": Build(Debian("libxml2", "2.1[2-9].*"), LIBXML2.build, LIBXML2.prepare),
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
}

GFM = ["made/src/cmark-gfm", "-e", "table", "-e", "autolink", "{input}"]

FAULTS = [
    Case("cmark: inlines in deep nesting", ["./cmark", "{input}"], sizes(20, 2000), (4000, 6000), "code_in_nested_quotes",
         "cmark 0.28.3", "cmark 0.31.2", ("S_can_contain", "cmark_node_append_child")),
    Case("cmark: brackets after images", ["./cmark", "{input}"], sizes(30, 4000), (8000, 16000), "image_brackets",
         "cmark 0.28.3", "cmark 0.31.2", ("handle_close_bracket",)),
    Case("cmark-gfm: inlines in deep nesting", GFM, sizes(20, 1500), (3000, 6000), "emphasis_in_nested_quotes",
         "cmark-gfm 0.29.0.gfm.6", "cmark-gfm 0.29.0.gfm.13", ("S_can_contain", "cmark_node_append_child")),
    Case("cmark-gfm: brackets after images", GFM, sizes(30, 4000), (8000, 16000), "image_brackets",
         "cmark-gfm 0.29.0.gfm.6", "cmark-gfm 0.29.0.gfm.13", ("handle_close_bracket",)),
    Case("cmark-gfm: wide table", GFM, sizes(30, 3000), (6000, 12000), "wide_table",
         "cmark-gfm 0.29.0.gfm.6", "cmark-gfm 0.29.0.gfm.13", ("cmark_llist_append",)),
    Case("md4c: unclosed link titles", ["./markdown", "{input}"], sizes(100, 10000), (20000, 40000), "unclosed_titles",
         "md4c 0.4.8", "md4c 0.5.3", ("md_is_inline_link_spec", "md_is_link_reference")),
    Case("md4c: open reference definitions", ["./markdown", "{input}"], sizes(100, 10000), (20000, 40000), "open_definitions",
         "md4c 0.4.8", "md4c 0.5.3", ("md_is_link_reference",)),
    Case("expat: a long comment in pieces", ["made/xmlwf/xmlwf", "-r", "{input}"], sizes(10_000, 1_000_000), (2_000_000, 4_000_000),
         "long_comment", "expat 2.5.0", "expat 2.6 or newer", ("normal_scanComment",)),
    Case("expat: a long attribute in pieces", ["made/xmlwf/xmlwf", "-r", "{input}"], sizes(10_000, 1_000_000), (2_000_000, 4_000_000),
         "long_attribute", "expat 2.5.0", "expat 2.6 or newer", ("normal_scanAtts",)),
    Case("lua: strings that hash alike", ["./lua", str(DRIVERS / "interned.lua"), "{n}"], sizes(100, 10000), (15000, 30000), "",
         "lua 5.1.5", "lua 5.3.6", ("luaS_newlstr",)),
    Case("lua: an input that kills quicksort", ["./lua", str(DRIVERS / "sort.lua"), "{input}"], sizes(30, 3000), (4000, 8000),
         "lua_sort_killer", "lua 5.1.5", "lua 5.3.6", ("auxsort",), sorts=True),
    Case("libxml2: many attributes", ["./xmllint", "--huge", "--noout", "{input}"], sizes(30, 5000), (10000, 20000),
         "many_attributes", "libxml2 2.9.14", "libxml2 2.12 or newer", ("xmlParseStartTag2", "xmlSAX2AttributeNs")),
    # Rust, with all crates that the program needs. The first fault is in one of these.
    Case("comrak: empty angle brackets", ["./driver", "{input}"], sizes(30, 3000), (6000, 12000), "angle_brackets",
         "comrak 0.16.0", "comrak 0.18.0", ("<Position>::find_line_start::{closure#0}",)),
    Case("comrak: reference definitions", ["./driver", "{input}"], sizes(30, 3000), (6000, 12000), "definitions",
         "comrak 0.16.0", "comrak 0.18.0", ("<Position>::find_line_start::{closure#0}",)),
    Case("pulldown-cmark: open comments", ["./driver", "{input}"], sizes(20, 2000), (3000, 5000), "open_comments",
         "pulldown-cmark 0.12.0", "pulldown-cmark 0.12.2", ("<One>::find_raw",)),
    # The same faults hidden under ordinary work: at most from a few per cent to a half of the largest run.
    Case("cmark: brackets hidden in text", ["./cmark", "{input}"], sizes(1000, 300_000), (600_000, 1_200_000), "image_brackets_in_text",
         "cmark 0.28.3", "cmark 0.31.2", ("handle_close_bracket",)),
    Case("cmark-gfm: brackets hidden in text", GFM, sizes(1000, 300_000), (600_000, 1_200_000), "image_brackets_in_text",
         "cmark-gfm 0.29.0.gfm.6", "cmark-gfm 0.29.0.gfm.13", ("handle_close_bracket",)),
    Case("md4c: titles hidden in text", ["./markdown", "{input}"], sizes(1000, 300_000), (600_000, 1_200_000), "unclosed_titles_in_text",
         "md4c 0.4.8", "md4c 0.5.3", ("md_is_inline_link_spec", "md_is_link_reference")),
    Case("lua: few strings that hash alike", ["./lua", str(DRIVERS / "interned.lua"), "{n}"], sizes(10, 1000), (2000, 4000), "",
         "lua 5.1.5", "lua 5.3.6", ("luaS_newlstr",)),
    Case("libxml2: attributes hidden in records", ["./xmllint", "--huge", "--noout", "{input}"], sizes(30, 3000), (6000, 12000),
         "many_attributes_in_records", "libxml2 2.9.14", "libxml2 2.12 or newer", ("xmlParseStartTag2", "xmlSAX2AttributeNs"),
         is_slower_elsewhere=True),
]

LINEAR = ("n",)
N_LOG_N = ("n log n",)

HONEST = [
    Case("bzip2", ["./bzip2", "--stdout", "{input}"], sizes(30_000, 6_000_000), (12_000_000, 24_000_000), "text",
         build="bzip2 1.0.8"),
    Case("zlib: minigzip", ["sh", "-c", "./minigzip < {input}"], sizes(30_000, 3_000_000), (6_000_000, 12_000_000), "text",
         build="zlib 1.2.13"),
    Case("lz4", ["./lz4", "-c", "{input}"], sizes(30_000, 6_000_000), (12_000_000, 24_000_000), "text", build="lz4 1.9.4"),
    Case("lz4 -9", ["./lz4", "-9", "-c", "{input}"], sizes(30_000, 3_000_000), (6_000_000, 12_000_000), "text",
         build="lz4 1.9.4"),
    Case("cmark: ordinary text", ["./cmark", "{input}"], sizes(3000, 1_000_000), (2_000_000, 4_000_000), "markdown",
         build="cmark 0.31.2"),
    Case("cmark-gfm: ordinary text", GFM, sizes(3000, 1_000_000), (2_000_000, 4_000_000), "markdown",
         build="cmark-gfm 0.29.0.gfm.13"),
    Case("md4c: ordinary text", ["./markdown", "{input}"], sizes(3000, 1_000_000), (2_000_000, 4_000_000), "markdown",
         build="md4c 0.5.3"),
    Case("expat: ordinary records", ["made/xmlwf/xmlwf", "{input}"], sizes(30, 10_000), (20_000, 40_000), "xml",
         build="expat 2.6 or newer"),
    Case("libxml2: ordinary records", ["./xmllint", "--noout", "{input}"], sizes(30, 10_000), (20_000, 40_000), "xml",
         build="libxml2 2.12 or newer"),
    Case("mawk: counting words", ["./mawk", "-f", str(DRIVERS / "count_words.awk"), "{input}"], sizes(3000, 1_000_000),
         (2_000_000, 4_000_000), "text", build="mawk 1.3.4"),
    Case("lua: one pass", ["./lua", str(DRIVERS / "loops.lua"), "sum", "{n}"], sizes(300, 300_000), (600_000, 1_200_000),
         build="lua 5.3.6", grows={"luaV_execute": LINEAR}),
    Case("lua: table.sort", ["./lua", str(DRIVERS / "sort.lua"), "{input}"], sizes(100, 50_000), (100_000, 200_000), "shuffled",
         build="lua 5.1.5", grows={"auxsort": N_LOG_N, "lua_lessthan": N_LOG_N}, sorts=True),
    Case("lua: all pairs", ["./lua", str(DRIVERS / "loops.lua"), "pairs", "{n}"], sizes(30, 2000), (4000, 8000),
         build="lua 5.3.6", grows={"luaV_execute": ("n^2",)}),
    Case("lua: matrix product", ["./lua", str(DRIVERS / "loops.lua"), "matrix", "{n}"], sizes(4, 150), (200, 300),
         build="lua 5.3.6", grows={"luaV_execute": ("n^3",)}),
    Case("sqlite: count", ["./query", "count", "{n}"], sizes(300, 50_000), (100_000, 200_000), build="sqlite 3.45",
         grows={"sqlite3VdbeExec": LINEAR}),
    Case("sqlite: sort", ["./query", "sort", "{n}"], sizes(300, 50_000), (100_000, 200_000), build="sqlite 3.45",
         grows={"vdbeSorterMerge": N_LOG_N, "vdbeSorterCompareInt": N_LOG_N}, sorts=True),
    Case("sqlite: join without an index", ["./query", "join", "{n}"], sizes(20, 1200), (2400, 3600), build="sqlite 3.45",
         grows={"sqlite3VdbeExec": ("n^2",), "sqlite3BtreeNext": ("n^2",)}),
    Case("meschach: matrix product", ["./matrix", "multiply", "{n}"], sizes(8, 400), (600, 900), build="meschach 1.2b",
         grows={"__mltadd__": ("n^3",)}),
    Case("meschach: LU", ["./matrix", "solve", "{n}"], sizes(8, 400), (600, 900), build="meschach 1.2b",
         grows={"__mltadd__": ("n^3",)}),
    Case("libtommath: schoolbook", ["./product", "schoolbook", "{n}"], sizes(5, 125), (180, 250), build="libtommath 1.2.0",
         grows={"s_mp_mul_digs_fast": ("n^2",)}),
    # The truth is n^1.58 and n^1.46, with steps where the recursion gets a level deeper.
    Case("libtommath: Karatsuba", ["./product", "karatsuba", "{n}"], sizes(100, 10000), (20000, 40000), build="libtommath 1.2.0"),
    Case("libtommath: Toom and Cook", ["./product", "toom", "{n}"], sizes(400, 20000), (40000, 80000), build="libtommath 1.2.0"),
    # Small inputs, on which tables that are cleared once and windows that fill once bend all curves.
    Case("zlib on small files", ["sh", "-c", "./minigzip < {input}"], sizes(300, 100_000), (1_000_000, 2_000_000), "text",
         build="zlib 1.2.13"),
    Case("bzip2 on small files", ["./bzip2", "--stdout", "{input}"], sizes(300, 100_000), (4_000_000, 8_000_000), "text",
         build="bzip2 1.0.8", sorts=True),
    Case("lz4 on small files", ["./lz4", "-c", "{input}"], sizes(300, 50_000), (1_000_000, 2_000_000), "text",
         build="lz4 1.9.4"),
    Case("cmark on small files", ["./cmark", "{input}"], sizes(100, 20_000), (200_000, 400_000), "markdown",
         build="cmark 0.31.2"),
    Case("libxml2 on small files", ["./xmllint", "--noout", "{input}"], sizes(3, 500), (5000, 10_000), "xml",
         build="libxml2 2.12 or newer"),
    Case("mawk on small files", ["./mawk", "-f", str(DRIVERS / "count_words.awk"), "{input}"], sizes(100, 20_000),
         (200_000, 400_000), "text", build="mawk 1.3.4"),
    Case("sqlite on small tables", ["./query", "count", "{n}"], sizes(3, 1000), (10_000, 20_000), build="sqlite 3.45"),
]
