"""Cases of real programs: each is a program with sizes, an input and its known growth."""

from dataclasses import dataclass, field

from registry import DRIVERS
from shared import sizes


@dataclass(frozen=True)
class Case:
    """One program on one kind of input.

    The growth of every function and line is known from `beyond`: two sizes larger than any that trend-prof sees. `grows`
    names functions whose growth is known from the algorithm, with the classes that are true of them."""

    name: str
    words: object  # the command: words, or a text of words; `{input}` and `{n}` stand for the workload's
    sizes: list
    generator: str = ""
    faulty: str = ""  # the build with the fault; empty where the code is honest
    build: str = ""  # the build with the fix, or the honest program
    fault: tuple = ()  # functions that hold the fault: at least one must be found
    grows: dict = field(default_factory=dict)
    sorts: bool = False  # honest code that sorts: `n log n` is true there, even of rows where it no longer shows beyond
    is_timed: bool = False  # runs without counters as well: the fault is in memory, or in code that is not counted
    is_slower_elsewhere: bool = False  # the release that fixed the fault costs more in other code
    beyond: tuple = ()  # if not twice and four times the largest size

    def __post_init__(self):
        object.__setattr__(self, "beyond", self.beyond or (2 * self.sizes[-1], 4 * self.sizes[-1]))

    @property
    def command(self):
        return self.words.split() if isinstance(self.words, str) else self.words

    def program(self):
        """Returns what cases have in common that differ only in sizes."""
        return self.build, tuple(self.command), self.generator


LINEAR = ("n",)
N_LOG_N = ("n log n",)

GFM = "made/src/cmark-gfm -e table -e autolink {input}"

SEEN_FAULTS = [
    Case("cmark: inlines in deep nesting", "./cmark {input}", sizes(20, 2000), "code_in_nested_quotes", "cmark 0.28.3",
         "cmark 0.31.2", ("S_can_contain", "cmark_node_append_child"), beyond=(4000, 6000)),
    Case("cmark: brackets after images", "./cmark {input}", sizes(30, 4000), "image_brackets", "cmark 0.28.3", "cmark 0.31.2",
         ("handle_close_bracket",)),
    Case("cmark-gfm: inlines in deep nesting", GFM, sizes(20, 1500), "emphasis_in_nested_quotes", "cmark-gfm 0.29.0.gfm.6",
         "cmark-gfm 0.29.0.gfm.13", ("S_can_contain", "cmark_node_append_child")),
    Case("cmark-gfm: brackets after images", GFM, sizes(30, 4000), "image_brackets", "cmark-gfm 0.29.0.gfm.6",
         "cmark-gfm 0.29.0.gfm.13", ("handle_close_bracket",)),
    Case("cmark-gfm: wide table", GFM, sizes(30, 3000), "wide_table", "cmark-gfm 0.29.0.gfm.6", "cmark-gfm 0.29.0.gfm.13",
         ("cmark_llist_append",)),
    Case("md4c: unclosed link titles", "./markdown {input}", sizes(100, 10000), "unclosed_titles", "md4c 0.4.8", "md4c 0.5.3",
         ("md_is_inline_link_spec", "md_is_link_reference")),
    Case("md4c: open reference definitions", "./markdown {input}", sizes(100, 10000), "open_definitions", "md4c 0.4.8",
         "md4c 0.5.3", ("md_is_link_reference",)),
    Case("expat: a long comment in pieces", "made/xmlwf/xmlwf -r {input}", sizes(10_000, 1_000_000), "long_comment", "expat 2.5.0",
         "expat 2.6 or newer", ("normal_scanComment",)),
    Case("expat: a long attribute in pieces", "made/xmlwf/xmlwf -r {input}", sizes(10_000, 1_000_000), "long_attribute",
         "expat 2.5.0", "expat 2.6 or newer", ("normal_scanAtts",)),
    Case("lua: strings that hash alike", ["./lua", str(DRIVERS / "interned.lua"), "{n}"], sizes(100, 10000), "", "lua 5.1.5",
         "lua 5.3.6", ("luaS_newlstr",), beyond=(15000, 30000)),
    Case("lua: an input that kills quicksort", ["./lua", str(DRIVERS / "sort.lua"), "{input}"], sizes(30, 3000), "lua_sort_killer",
         "lua 5.1.5", "lua 5.3.6", ("auxsort",), sorts=True, beyond=(4000, 8000)),
    Case("libxml2: many attributes", "./xmllint --huge --noout {input}", sizes(30, 5000), "many_attributes", "libxml2 2.9.14",
         "libxml2 2.12 or newer", ("xmlParseStartTag2", "xmlSAX2AttributeNs")),
    # Rust, with all crates that the program needs. The first fault is in one of these.
    Case("comrak: empty angle brackets", "./driver {input}", sizes(30, 3000), "angle_brackets", "comrak 0.16.0", "comrak 0.18.0",
         ("<Position>::find_line_start::{closure#0}",)),
    Case("comrak: reference definitions", "./driver {input}", sizes(30, 3000), "definitions", "comrak 0.16.0", "comrak 0.18.0",
         ("<Position>::find_line_start::{closure#0}",)),
    Case("pulldown-cmark: open comments", "./driver {input}", sizes(20, 2000), "open_comments", "pulldown-cmark 0.12.0",
         "pulldown-cmark 0.12.2", ("<One>::find_raw",), beyond=(3000, 5000)),
    # The same faults under ordinary work. They take from a few per cent to a half of the largest run.
    Case("cmark: brackets hidden in text", "./cmark {input}", sizes(1000, 300_000), "image_brackets_in_text", "cmark 0.28.3",
         "cmark 0.31.2", ("handle_close_bracket",)),
    Case("cmark-gfm: brackets hidden in text", GFM, sizes(1000, 300_000), "image_brackets_in_text", "cmark-gfm 0.29.0.gfm.6",
         "cmark-gfm 0.29.0.gfm.13", ("handle_close_bracket",)),
    Case("md4c: titles hidden in text", "./markdown {input}", sizes(1000, 300_000), "unclosed_titles_in_text", "md4c 0.4.8",
         "md4c 0.5.3", ("md_is_inline_link_spec", "md_is_link_reference")),
    Case("lua: few strings that hash alike", ["./lua", str(DRIVERS / "interned.lua"), "{n}"], sizes(10, 1000), "", "lua 5.1.5",
         "lua 5.3.6", ("luaS_newlstr",)),
    Case("libxml2: attributes hidden in records", "./xmllint --huge --noout {input}", sizes(30, 3000), "many_attributes_in_records",
         "libxml2 2.9.14", "libxml2 2.12 or newer", ("xmlParseStartTag2", "xmlSAX2AttributeNs"), is_slower_elsewhere=True),
]

SEEN_HONEST = [
    Case("bzip2", "./bzip2 --stdout {input}", sizes(30_000, 6_000_000), "text", build="bzip2 1.0.8"),
    Case("zlib: minigzip", ["sh", "-c", "./minigzip < {input}"], sizes(30_000, 3_000_000), "text", build="zlib 1.2.13"),
    Case("lz4", "./lz4 -c {input}", sizes(30_000, 6_000_000), "text", build="lz4 1.9.4"),
    Case("lz4 -9", "./lz4 -9 -c {input}", sizes(30_000, 3_000_000), "text", build="lz4 1.9.4"),
    Case("cmark: ordinary text", "./cmark {input}", sizes(3000, 1_000_000), "markdown", build="cmark 0.31.2"),
    Case("cmark-gfm: ordinary text", GFM, sizes(3000, 1_000_000), "markdown", build="cmark-gfm 0.29.0.gfm.13"),
    Case("md4c: ordinary text", "./markdown {input}", sizes(3000, 1_000_000), "markdown", build="md4c 0.5.3"),
    Case("expat: ordinary records", "made/xmlwf/xmlwf {input}", sizes(30, 10_000), "xml", build="expat 2.6 or newer"),
    Case("libxml2: ordinary records", "./xmllint --noout {input}", sizes(30, 10_000), "xml", build="libxml2 2.12 or newer"),
    Case("mawk: counting words", ["./mawk", "-f", str(DRIVERS / "count_words.awk"), "{input}"], sizes(3000, 1_000_000), "text",
         build="mawk 1.3.4"),
    Case("lua: one pass", ["./lua", str(DRIVERS / "loops.lua"), "sum", "{n}"], sizes(300, 300_000), build="lua 5.3.6",
         grows={"luaV_execute": LINEAR}),
    Case("lua: table.sort", ["./lua", str(DRIVERS / "sort.lua"), "{input}"], sizes(100, 50_000), "shuffled", build="lua 5.1.5",
         grows={"auxsort": N_LOG_N, "lua_lessthan": N_LOG_N}, sorts=True),
    Case("lua: all pairs", ["./lua", str(DRIVERS / "loops.lua"), "pairs", "{n}"], sizes(30, 2000), build="lua 5.3.6",
         grows={"luaV_execute": ("n^2",)}),
    Case("lua: matrix product", ["./lua", str(DRIVERS / "loops.lua"), "matrix", "{n}"], sizes(4, 150), build="lua 5.3.6",
         grows={"luaV_execute": ("n^3",)}, beyond=(200, 300)),
    Case("sqlite: count", "./query count {n}", sizes(300, 50_000), build="sqlite 3.45", grows={"sqlite3VdbeExec": LINEAR}),
    Case("sqlite: sort", "./query sort {n}", sizes(300, 50_000), build="sqlite 3.45",
         grows={"vdbeSorterMerge": N_LOG_N, "vdbeSorterCompareInt": N_LOG_N}, sorts=True),
    Case("sqlite: join without an index", "./query join {n}", sizes(20, 1200), build="sqlite 3.45",
         grows={"sqlite3VdbeExec": ("n^2",), "sqlite3BtreeNext": ("n^2",)}, beyond=(2400, 3600)),
    Case("meschach: matrix product", "./matrix multiply {n}", sizes(8, 400), build="meschach 1.2b", grows={"__mltadd__": ("n^3",)},
         beyond=(600, 900)),
    Case("meschach: LU", "./matrix solve {n}", sizes(8, 400), build="meschach 1.2b", grows={"__mltadd__": ("n^3",)},
         beyond=(600, 900)),
    Case("libtommath: schoolbook", "./product schoolbook {n}", sizes(5, 125), build="libtommath 1.2.0",
         grows={"s_mp_mul_digs_fast": ("n^2",)}, beyond=(180, 250)),
    # The truth is n^1.58 and n^1.46, with steps where the recursion gets a level deeper.
    Case("libtommath: Karatsuba", "./product karatsuba {n}", sizes(100, 10000), build="libtommath 1.2.0"),
    Case("libtommath: Toom and Cook", "./product toom {n}", sizes(400, 20000), build="libtommath 1.2.0"),
    # Small inputs, on which tables that are cleared once and windows that fill once bend all curves.
    Case("zlib on small files", ["sh", "-c", "./minigzip < {input}"], sizes(300, 100_000), "text", build="zlib 1.2.13",
         beyond=(1_000_000, 2_000_000)),
    Case("bzip2 on small files", "./bzip2 --stdout {input}", sizes(300, 100_000), "text", build="bzip2 1.0.8", sorts=True,
         beyond=(4_000_000, 8_000_000)),
    Case("lz4 on small files", "./lz4 -c {input}", sizes(300, 50_000), "text", build="lz4 1.9.4", beyond=(1_000_000, 2_000_000)),
    Case("cmark on small files", "./cmark {input}", sizes(100, 20_000), "markdown", build="cmark 0.31.2", beyond=(200_000, 400_000)),
    Case("libxml2 on small files", "./xmllint --noout {input}", sizes(3, 500), "xml", build="libxml2 2.12 or newer",
         beyond=(5000, 10_000)),
    Case("mawk on small files", ["./mawk", "-f", str(DRIVERS / "count_words.awk"), "{input}"], sizes(100, 20_000), "text",
         build="mawk 1.3.4", beyond=(200_000, 400_000)),
    Case("sqlite on small tables", "./query count {n}", sizes(3, 1000), build="sqlite 3.45", beyond=(10_000, 20_000)),
]

# Programs that were not used while the models and their guards were developed. They were chosen by their known
# properties. Their expectations were written down before the first run, and no program was dropped after it.
M4 = "src/m4 -I examples {input}"
DIFF = "sed -n 's/^<//p' {input} > old-{n} && sed -n 's/^>//p' {input} > new-{n}; src/diff old-{n} new-{n} > /dev/null; test $? -le 1"
DEDUPLICATE = "reduce .[] as $x ([]; if index([$x]) then . else . + [$x] end) | length"

# Status 1 means that there were warnings.
TIDY = "made/tidy -q -o /dev/null --force-output yes {input}; test $? -le 1"

UNSEEN_FAULTS = [
    Case("libyaml: deep nesting", "./yaml_read scan {input}", sizes(30, 4000), "yaml_nested", "libyaml 0.2.5",
         fault=("yaml_parser_fetch_more_tokens", "yaml_parser_stale_simple_keys")),
    Case("mxml: many attributes", "./mxml_read {input}", sizes(30, 4000), "many_attributes", "mxml 3.3.1", fault=("mxml_set_attr",)),
    Case("iniparser: many keys", "./ini_read {input}", sizes(30, 4000), "ini_keys", "iniparser 4.2.6", fault=("dictionary_set",)),
    Case("libconfig: many settings", "./config_read {input}", sizes(30, 4000), "settings", "libconfig 1.7.3",
         fault=("__config_list_search",)),
    Case("tidy: many attributes", ["sh", "-c", TIDY], sizes(30, 4000), "html_attributes", "tidy 5.6.0",
         fault=("prvTidyRepairDuplicateAttributes", "AttrsHaveSameName")),
    Case("discount: open brackets", "./markdown {input}", sizes(30, 4000), "brackets", "discount 2.2.7",
         fault=("parenthetical", "linkylabel")),
    Case("m4: a loop by shift", M4, sizes(20, 1000), "foreachq2", "m4 1.4.19", fault=("expand_argument",)),
    Case("pcre2: spaces before the end of a line", ["./pcre2_count", r"\s+$", "{input}"], sizes(30, 4000), "spaces", "pcre2 10.42",
         fault=("match",)),
    Case("quick-xml: many attributes", "./driver {input}", sizes(30, 4000), "many_attributes", "quick-xml 0.39.4",
         "quick-xml 0.41.0", ("<IterState>::check_for_duplicates::{closure#0}",)),
    # Faults hidden under ordinary work.
    Case("libyaml: anchors hidden in records", "./yaml_read load {input}", sizes(30, 4000), "yaml_anchors", "libyaml 0.2.5",
         fault=("yaml_parser_register_anchor",)),
    Case("mxml: attributes hidden in records", "./mxml_read {input}", sizes(30, 3000), "many_attributes_in_records", "mxml 3.3.1",
         fault=("mxml_set_attr",)),
    Case("cJSON: items by number, hidden", "./cjson_walk index {input}", sizes(30, 4000), "json_records", "cJSON 1.7.18",
         fault=("get_array_item", "cJSON_GetArrayItem")),
    Case("mujs: characters by number, hidden", "./mujs {input}", sizes(30, 4000), "script_characters", "mujs 1.3.6",
         fault=("js_runeat",)),
    Case("duktape: a queue by shift, hidden", "./duk {input}", sizes(30, 3000), "script_queue", "duktape 2.7.0",
         fault=("duk_bi_array_prototype_shift",)),
    Case("jq: distinct values by index, hidden", ["./jq", DEDUPLICATE, "{input}"], sizes(30, 3000), "json_values", "jq 1.7.1",
         fault=("jv_array_indexes",)),
    Case("pcre2: spaces hidden in text", ["./pcre2_count", r"\s+$", "{input}"], sizes(1000, 300_000), "spaces_in_text",
         "pcre2 10.42", fault=("match",)),
    Case("quick-xml: attributes hidden in records", "./driver {input}", sizes(30, 6000), "many_attributes_in_records",
         "quick-xml 0.39.4", "quick-xml 0.41.0", ("<IterState>::check_for_duplicates::{closure#0}",)),
]

UNSEEN_HONEST = [
    Case("libyaml: ordinary records", "./yaml_read load {input}", sizes(30, 10_000), "yaml", build="libyaml 0.2.5"),
    Case("mxml: ordinary records", "./mxml_read {input}", sizes(30, 10_000), "xml", build="mxml 3.3.1"),
    Case("libconfig: ordinary groups", "./config_read {input}", sizes(30, 10_000), "setting_groups", build="libconfig 1.7.3"),
    Case("cJSON: items by link", "./cjson_walk link {input}", sizes(30, 10_000), "json_records", build="cJSON 1.7.18"),
    Case("jansson: ordinary records", "./jansson_read plain {input}", sizes(30, 10_000), "json_records", build="jansson 2.14"),
    Case("jansson: one object", "./jansson_read plain {input}", sizes(30, 20_000), "json_keys", build="jansson 2.14"),
    Case("jansson: one object, sorted", "./jansson_read sorted {input}", sizes(30, 20_000), "json_keys", build="jansson 2.14",
         grows={"compare_keys": N_LOG_N}, sorts=True),
    Case("tidy: ordinary page", "made/tidy -q -o /dev/null {input}", sizes(30, 3000), "html", build="tidy 5.6.0"),
    Case("discount: ordinary text", "./markdown {input}", sizes(3000, 1_000_000), "markdown", build="discount 2.2.7"),
    Case("pcre2: words", ["./pcre2_count", r"\b[a-m]\w+", "{input}"], sizes(3000, 1_000_000), "text", build="pcre2 10.42"),
    Case("pcre2: nested repetition", ["./pcre2_count", "(a+)+$", "{input}"], list(range(6, 20)), "letters", build="pcre2 10.42",
         grows={"match": ("2^n",)}, beyond=(21, 23)),
    Case("zstd", "./zstd_write {input}", sizes(30_000, 6_000_000), "text", build="zstd 1.5.4"),
    Case("brotli", "./brotli_write {input}", sizes(30_000, 3_000_000), "text", build="brotli 1.0.9"),
    Case("zopfli", "./zopfli -c --i5 {input}", sizes(1000, 100_000), "text", build="zopfli 1.0.3"),
    Case("KISS FFT: powers of 2", "./transform {n}", [2**k for k in range(6, 17)], build="KISS FFT 131.1.0",
         grows={"kf_bfly4": N_LOG_N}),
    Case("KISS FFT: primes", "./transform {n}", [31, 53, 89, 151, 257, 433, 733, 1237, 2099, 3559], build="KISS FFT 131.1.0",
         grows={"kf_bfly_generic": ("n^2",)}, beyond=(6007, 10007)),
    Case("qhull: points in a cube", "./qconvex s TI {input}", sizes(30, 20_000), "points_in_cube", build="qhull 2020.2"),
    Case("qhull: points on a sphere", "./qconvex s TI {input}", sizes(30, 5000), "points_on_sphere", build="qhull 2020.2"),
    Case("picosat: pigeons", ["sh", "-c", "./picosat -n {input}; test $? -eq 20"], [2, 3, 4, 5, 6, 7], "pigeons",
         build="picosat 965", beyond=(8, 9)),
    # The truth is n^1.58 for products by Karatsuba's method, and n^2 for digits by repeated division.
    Case("dc: a power", "dc/dc {input}", sizes(300, 30_000), "power", build="bc 1.07.1"),
    Case("dc: a power in hexadecimal", "dc/dc {input}", sizes(100, 2500), "power_in_hexadecimal", build="bc 1.07.1"),
    Case("diff: few changes", ["sh", "-c", DIFF], sizes(100, 50_000), "few_changes", build="diffutils 3.8"),
    # The truth is n^2 until the search is cut off at a depth that grows with the root of n, and n^1.5 from there.
    Case("diff: other order", ["sh", "-c", DIFF], sizes(100, 20_000), "shuffled_lines", build="diffutils 3.8"),
    # The size n is the length of a side, so an image has n^2 pixels.
    Case("potrace: discs", ["sh", "-c", "src/potrace -s -o /dev/null {input}"], sizes(32, 1024), "blobs", build="potrace 1.16",
         beyond=(1536, 2048)),
    Case("m4: ordinary text", M4, sizes(100, 30_000), "macros", build="m4 1.4.19"),
    Case("m4: a loop by definition", M4, sizes(20, 3000), "foreachq4", build="m4 1.4.19"),
    Case("mujs: objects", "./mujs {input}", sizes(100, 50_000), "script_objects", build="mujs 1.3.6"),
    Case("mujs: sort", "./mujs {input}", sizes(100, 20_000), "script_sort", build="mujs 1.3.6",
         grows={"Ap_sort_sift": N_LOG_N, "Ap_sort_leaf": N_LOG_N}, sorts=True),
    Case("duktape: objects", "./duk {input}", sizes(100, 50_000), "script_objects", build="duktape 2.7.0"),
    Case("duktape: sort", "./duk {input}", sizes(100, 20_000), "script_sort", build="duktape 2.7.0", sorts=True),
    Case("duktape: matrix product", "./duk {input}", sizes(4, 100), "script_matrix", build="duktape 2.7.0",
         grows={"duk__js_execute_bytecode_inner": ("n^3",)}, beyond=(150, 200)),
    Case("jq: one pass", ["./jq", "map(.size + 1) | add", "{input}"], sizes(30, 10_000), "json_records", build="jq 1.7.1"),
    Case("jq: sort_by", ["./jq", "sort_by(.size, .id) | length", "{input}"], sizes(30, 10_000), "json_records", build="jq 1.7.1",
         sorts=True),
    # Inputs so small that startup costs matter.
    Case("cJSON on small files", "./cjson_walk link {input}", sizes(3, 300), "json_records", build="cJSON 1.7.18",
         beyond=(3000, 6000)),
    Case("jq on small files", ["./jq", "map(.size + 1) | add", "{input}"], sizes(3, 300), "json_records", build="jq 1.7.1",
         beyond=(10_000, 20_000)),
    Case("tidy on small pages", "made/tidy -q -o /dev/null {input}", sizes(3, 300), "html", build="tidy 5.6.0", beyond=(3000, 6000)),
    Case("discount on small files", "./markdown {input}", sizes(100, 20_000), "markdown", build="discount 2.2.7",
         beyond=(200_000, 400_000)),
    Case("zstd on small files", "./zstd_write {input}", sizes(300, 100_000), "text", build="zstd 1.5.4",
         beyond=(6_000_000, 12_000_000)),
    Case("brotli on small files", "./brotli_write {input}", sizes(300, 100_000), "text", build="brotli 1.0.9",
         beyond=(6_000_000, 12_000_000)),
    Case("duktape on small scripts", "./duk {input}", sizes(3, 1000), "script_objects", build="duktape 2.7.0",
         beyond=(10_000, 20_000)),
    Case("m4 on small files", M4, sizes(3, 1000), "macros", build="m4 1.4.19", beyond=(10_000, 20_000)),
    Case("libyaml on small files", "./yaml_read load {input}", sizes(3, 300), "yaml", build="libyaml 0.2.5", beyond=(3000, 6000)),
]

# The search for the end of a line in jsoncpp's `containsNewLine`.
NEW_LINE = ("std::__find_if<char const*, __gnu_cxx::__ops::_Iter_pred<Json::OurReader::containsNewLine(char const*, char const*)"
            "::{lambda(char)#1}> >(char const*, char const*, __gnu_cxx::__ops::_Iter_pred<Json::OurReader::containsNewLine("
            "char const*, char const*)::{lambda(char)#1}>, std::random_access_iterator_tag)")

# Further faults for `trend-prof diff`: a public release with a known fault, and one with its fix. They include
# exponential growth and memory.
PAIRS = [
    # The faults of these grow exponentially.
    Case("sqlparser: dotted names", "./driver {input}", list(range(3, 18)), "dotted_names", "sqlparser 0.61.0", "sqlparser 0.64.0",
         ("<Parser>::parse_compound_expr", "<Parser>::parse_subexpr", "<Parser>::parse_prefix"), beyond=(19, 21)),
    Case("full_moon: nested operators", "./driver {input}", list(range(1, 9)), "nested_operators", "full_moon 0.19.0",
         "full_moon 1.0.0", ("<ParseExpressionAtPrecedence as Parser>::parse::{closure#0}",), beyond=(9, 10)),
    Case("libxml2: nested fallbacks", "./xmllint --xinclude --nowarning --noout {input}", list(range(1, 9)), "nested_fallbacks",
         "xmllint 2.9.10", "xmllint 2.9.14", ("xmlXIncludeLoadFallback", "xmlXIncludeDoProcess", "xmlCopyPropList"), beyond=(9, 10)),
    # Memory, and the code that fills it.
    Case("cmark: a long address referred to", "./cmark {input}", sizes(100, 6000), "long_reference", "cmark 0.28.3", "cmark 0.31.2",
         ("houdini_escape_href", "S_render_node"), is_timed=True, beyond=(9000, 12000)),
    # The faults of these grow quadratically.
    Case("jq: update of each value", ["./jq", ".[] |= . + 1 | length", "{input}"], sizes(30, 3000), "json_values", "jq 1.6",
         "jq 1.7.1", ("jvp_array_write", "jv_array_set", "jv_copy")),
    Case("lua: keys that are multiples of a power of two", ["./lua", str(DRIVERS / "powers.lua"), "{n}"], sizes(30, 4000), "",
         "lua 5.3.6", "lua 5.4.7", ("luaH_getint",)),
    Case("tiff: many pictures", "./tiff_count {input}", sizes(30, 4000), "tiff_pictures", "tiff 4.2.0", "tiff 4.5.0",
         ("TIFFCheckDirOffset",)),
    Case("libxml2: a long attribute of HTML in pieces", "./xmllint --html --push --noout {input}", sizes(10_000, 1_000_000),
         "long_attribute", "xmllint 2.9.10", "xmllint 2.9.14", ("htmlParseLookupSequence",)),
    Case("jsoncpp: many comments", "./jsoncpp_write {input}", sizes(30, 4000), "json_comments", "jsoncpp 1.9.6",
         "jsoncpp 1.9.8 or newer", (NEW_LINE,)),
    Case("jsonnet: sorting what is sorted", "./jsonnet {input}", sizes(60, 1200), "jsonnet_sort", "jsonnet 0.12.1",
         "jsonnet 0.13.0", ("(anonymous namespace)::Interpreter::evaluate(AST const*, unsigned int)",), beyond=(2400, 3600)),
    Case("unsafe-libyaml: deep nesting", "./driver {input}", sizes(400, 12_000), "yaml_nested", "unsafe-libyaml 0.2.10",
         "unsafe-libyaml 0.2.11", ("unsafe_libyaml::scanner::yaml_parser_stale_simple_keys",)),
    Case("toml: many tables", "./driver {input}", sizes(30, 3000), "toml_tables", "toml 0.5.3", "toml 0.5.5",
         ("<MapVisitor as MapAccess>::next_key_seed::<PhantomData<String>>::{closure#0}",)),
]

# Title, faults and honest code of each group. The groups are judged alike and counted separately.
GROUPS = {
    "seen": ("In view when the guards were made", SEEN_FAULTS, SEEN_HONEST),
    "unseen": ("Not in view when the models were made", UNSEEN_FAULTS, UNSEEN_HONEST),
    "pairs": ("Further pairs of releases", PAIRS, []),
}
