"""Programs that were not in view when the models and their guards were made. They were chosen by their known properties,
written down before the first run, and kept whatever the results."""

from programs import DRIVERS, LINEAR, N_LOG_N, Build, Case, project, sizes
from sources import Debian


def library(source, driver, output, files, prepare=""):
    """Returns the build of a driver and a library's files in one compiler call."""
    return Build(source, f"cc -O2 -w -o {output} '{DRIVERS / driver}' {files}", prepare)


def configured(source, target, options=""):
    """Returns the build of a program of GNU autotools, together with the parts from its own folders."""
    return Build(source, f"make -j2 {target}", f"./configure --disable-nls --disable-dependency-tracking {options}")


JQ_TEXTS = (r"""sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$/\\n"/' src/builtin.jq > src/builtin.inc"""
            r""" && echo '#define JQ_VERSION "1.7.1"' > src/version.h && echo '#define JQ_CONFIG ""' > src/config_opts.inc""")
PCRE2_FILES = " ".join(f"src/pcre2_{part}.c" for part in (
    "auto_possess chartables compile config context convert dfa_match error extuni find_bracket jit_compile maketables match"
    " match_data newline ord2utf pattern_info script_run serialize string_utils study substitute substring tables ucd"
    " valid_utf xclass").split())

BUILDS = {
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
    "jq 1.7.1": Build(Debian("jq", "1.7.1"),
                      "cc -O2 -w -D_GNU_SOURCE -DIEEE_8087 -DHAVE_MEMMEM -I. -Isrc -o jq"
                      " $(ls src/*.c | grep -v inject_errors) -lm -lpthread", JQ_TEXTS),
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
}

M4 = ["src/m4", "-I", "examples", "{input}"]
DIFF = "sed -n 's/^<//p' {input} > old-{n} && sed -n 's/^>//p' {input} > new-{n}; src/diff old-{n} new-{n} > /dev/null; test $? -le 1"
DEDUPLICATE = "reduce .[] as $x ([]; if index([$x]) then . else . + [$x] end) | length"

# Status 1 means that there were warnings.
TIDY = "made/tidy -q -o /dev/null --force-output yes {input}; test $? -le 1"

FAULTS = [
    Case("libyaml: deep nesting", ["./yaml_read", "scan", "{input}"], sizes(30, 4000), (8000, 16000), "yaml_nested",
         "libyaml 0.2.5", fault=("yaml_parser_fetch_more_tokens", "yaml_parser_stale_simple_keys")),
    Case("mxml: many attributes", ["./mxml_read", "{input}"], sizes(30, 4000), (8000, 16000), "many_attributes",
         "mxml 3.3.1", fault=("mxml_set_attr",)),
    Case("iniparser: many keys", ["./ini_read", "{input}"], sizes(30, 4000), (8000, 16000), "ini_keys",
         "iniparser 4.2.6", fault=("dictionary_set",)),
    Case("libconfig: many settings", ["./config_read", "{input}"], sizes(30, 4000), (8000, 16000), "settings",
         "libconfig 1.7.3", fault=("__config_list_search",)),
    Case("tidy: many attributes", ["sh", "-c", TIDY], sizes(30, 4000),
         (8000, 16000), "html_attributes", "tidy 5.6.0", fault=("prvTidyRepairDuplicateAttributes", "AttrsHaveSameName")),
    Case("discount: open brackets", ["./markdown", "{input}"], sizes(30, 4000), (8000, 16000), "brackets", "discount 2.2.7",
         fault=("parenthetical", "linkylabel")),
    Case("m4: a loop by shift", M4, sizes(20, 1000), (2000, 4000), "foreachq2", "m4 1.4.19", fault=("expand_argument",)),
    Case("pcre2: spaces before the end of a line", ["./pcre2_count", r"\s+$", "{input}"], sizes(30, 4000), (8000, 16000), "spaces",
         "pcre2 10.42", fault=("match",)),
    Case("quick-xml: many attributes", ["./driver", "{input}"], sizes(30, 4000), (8000, 16000), "many_attributes",
         "quick-xml 0.39.4", "quick-xml 0.41.0", ("<IterState>::check_for_duplicates::{closure#0}",)),
    # Faults hidden under ordinary work.
    Case("libyaml: anchors hidden in records", ["./yaml_read", "load", "{input}"], sizes(30, 4000), (8000, 16000), "yaml_anchors",
         "libyaml 0.2.5", fault=("yaml_parser_register_anchor",)),
    Case("mxml: attributes hidden in records", ["./mxml_read", "{input}"], sizes(30, 3000), (6000, 12000),
         "many_attributes_in_records", "mxml 3.3.1", fault=("mxml_set_attr",)),
    Case("cJSON: items by number, hidden", ["./cjson_walk", "index", "{input}"], sizes(30, 4000), (8000, 16000), "json_records",
         "cJSON 1.7.18", fault=("get_array_item", "cJSON_GetArrayItem")),
    Case("mujs: characters by number, hidden", ["./mujs", "{input}"], sizes(30, 4000), (8000, 16000), "script_characters",
         "mujs 1.3.6", fault=("js_runeat",)),
    Case("duktape: a queue by shift, hidden", ["./duk", "{input}"], sizes(30, 3000), (6000, 12000), "script_queue",
         "duktape 2.7.0", fault=("duk_bi_array_prototype_shift",)),
    Case("jq: distinct values by index, hidden", ["./jq", DEDUPLICATE, "{input}"], sizes(30, 3000), (6000, 12000), "json_values",
         "jq 1.7.1", fault=("jv_array_indexes",)),
    Case("pcre2: spaces hidden in text", ["./pcre2_count", r"\s+$", "{input}"], sizes(1000, 300_000), (600_000, 1_200_000),
         "spaces_in_text", "pcre2 10.42", fault=("match",)),
    Case("quick-xml: attributes hidden in records", ["./driver", "{input}"], sizes(30, 6000), (12000, 24000),
         "many_attributes_in_records", "quick-xml 0.39.4", "quick-xml 0.41.0", ("<IterState>::check_for_duplicates::{closure#0}",)),
]

HONEST = [
    Case("libyaml: ordinary records", ["./yaml_read", "load", "{input}"], sizes(30, 10_000), (20_000, 40_000), "yaml",
         build="libyaml 0.2.5"),
    Case("mxml: ordinary records", ["./mxml_read", "{input}"], sizes(30, 10_000), (20_000, 40_000), "xml", build="mxml 3.3.1"),
    Case("libconfig: ordinary groups", ["./config_read", "{input}"], sizes(30, 10_000), (20_000, 40_000), "setting_groups",
         build="libconfig 1.7.3"),
    Case("cJSON: items by link", ["./cjson_walk", "link", "{input}"], sizes(30, 10_000), (20_000, 40_000), "json_records",
         build="cJSON 1.7.18"),
    Case("jansson: ordinary records", ["./jansson_read", "plain", "{input}"], sizes(30, 10_000), (20_000, 40_000), "json_records",
         build="jansson 2.14"),
    Case("jansson: one object", ["./jansson_read", "plain", "{input}"], sizes(30, 20_000), (40_000, 80_000), "json_keys",
         build="jansson 2.14"),
    Case("jansson: one object, sorted", ["./jansson_read", "sorted", "{input}"], sizes(30, 20_000), (40_000, 80_000), "json_keys",
         build="jansson 2.14", grows={"compare_keys": N_LOG_N}, sorts=True),
    Case("tidy: ordinary page", ["made/tidy", "-q", "-o", "/dev/null", "{input}"], sizes(30, 3000), (6000, 12000), "html",
         build="tidy 5.6.0"),
    Case("discount: ordinary text", ["./markdown", "{input}"], sizes(3000, 1_000_000), (2_000_000, 4_000_000), "markdown",
         build="discount 2.2.7"),
    Case("pcre2: words", ["./pcre2_count", r"\b[a-m]\w+", "{input}"], sizes(3000, 1_000_000), (2_000_000, 4_000_000), "text",
         build="pcre2 10.42"),
    Case("pcre2: nested repetition", ["./pcre2_count", "(a+)+$", "{input}"], list(range(6, 20)), (21, 23), "letters",
         build="pcre2 10.42", grows={"match": ("2^n",)}),
    Case("zstd", ["./zstd_write", "{input}"], sizes(30_000, 6_000_000), (12_000_000, 24_000_000), "text", build="zstd 1.5.4"),
    Case("brotli", ["./brotli_write", "{input}"], sizes(30_000, 3_000_000), (6_000_000, 12_000_000), "text", build="brotli 1.0.9"),
    Case("zopfli", ["./zopfli", "-c", "--i5", "{input}"], sizes(1000, 100_000), (200_000, 400_000), "text", build="zopfli 1.0.3"),
    Case("KISS FFT: powers of 2", ["./transform", "{n}"], [2**k for k in range(6, 17)], (2**17, 2**18), build="KISS FFT 131.1.0",
         grows={"kf_bfly4": N_LOG_N}),
    Case("KISS FFT: primes", ["./transform", "{n}"], [31, 53, 89, 151, 257, 433, 733, 1237, 2099, 3559], (6007, 10007),
         build="KISS FFT 131.1.0", grows={"kf_bfly_generic": ("n^2",)}),
    Case("qhull: points in a cube", ["./qconvex", "s", "TI", "{input}"], sizes(30, 20_000), (40_000, 80_000), "points_in_cube",
         build="qhull 2020.2"),
    Case("qhull: points on a sphere", ["./qconvex", "s", "TI", "{input}"], sizes(30, 5000), (10_000, 20_000), "points_on_sphere",
         build="qhull 2020.2"),
    Case("picosat: pigeons", ["sh", "-c", "./picosat -n {input}; test $? -eq 20"], [2, 3, 4, 5, 6, 7], (8, 9), "pigeons",
         build="picosat 965"),
    # The truth is n^1.58 for products by Karatsuba's method, and n^2 for digits by repeated division.
    Case("dc: a power", ["dc/dc", "{input}"], sizes(300, 30_000), (60_000, 120_000), "power", build="bc 1.07.1"),
    Case("dc: a power in hexadecimal", ["dc/dc", "{input}"], sizes(100, 2500), (5000, 10_000), "power_in_hexadecimal",
         build="bc 1.07.1"),
    Case("diff: few changes", ["sh", "-c", DIFF], sizes(100, 50_000), (100_000, 200_000), "few_changes", build="diffutils 3.8"),
    # The truth is n^2 until the search is cut off at a depth that grows with the root of n, and n^1.5 from there.
    Case("diff: other order", ["sh", "-c", DIFF], sizes(100, 20_000), (40_000, 80_000), "shuffled_lines", build="diffutils 3.8"),
    # n is the length of a side, so the work is that of n^2 pixels.
    Case("potrace: discs", ["sh", "-c", "src/potrace -s -o /dev/null {input}"], sizes(32, 1024), (1536, 2048), "blobs",
         build="potrace 1.16"),
    Case("m4: ordinary text", M4, sizes(100, 30_000), (60_000, 120_000), "macros", build="m4 1.4.19"),
    Case("m4: a loop by definition", M4, sizes(20, 3000), (6000, 12_000), "foreachq4", build="m4 1.4.19"),
    Case("mujs: objects", ["./mujs", "{input}"], sizes(100, 50_000), (100_000, 200_000), "script_objects", build="mujs 1.3.6"),
    Case("mujs: sort", ["./mujs", "{input}"], sizes(100, 20_000), (40_000, 80_000), "script_sort", build="mujs 1.3.6",
         grows={"Ap_sort_sift": N_LOG_N, "Ap_sort_leaf": N_LOG_N}, sorts=True),
    Case("duktape: objects", ["./duk", "{input}"], sizes(100, 50_000), (100_000, 200_000), "script_objects", build="duktape 2.7.0"),
    Case("duktape: sort", ["./duk", "{input}"], sizes(100, 20_000), (40_000, 80_000), "script_sort", build="duktape 2.7.0", sorts=True),
    Case("duktape: matrix product", ["./duk", "{input}"], sizes(4, 100), (150, 200), "script_matrix", build="duktape 2.7.0",
         grows={"duk__js_execute_bytecode_inner": ("n^3",)}),
    Case("jq: one pass", ["./jq", "map(.size + 1) | add", "{input}"], sizes(30, 10_000), (20_000, 40_000), "json_records",
         build="jq 1.7.1"),
    Case("jq: sort_by", ["./jq", "sort_by(.size, .id) | length", "{input}"], sizes(30, 10_000), (20_000, 40_000), "json_records",
         build="jq 1.7.1", sorts=True),
    # Small inputs.
    Case("cJSON on small files", ["./cjson_walk", "link", "{input}"], sizes(3, 300), (3000, 6000), "json_records",
         build="cJSON 1.7.18"),
    Case("jq on small files", ["./jq", "map(.size + 1) | add", "{input}"], sizes(3, 300), (10_000, 20_000), "json_records",
         build="jq 1.7.1"),
    Case("tidy on small pages", ["made/tidy", "-q", "-o", "/dev/null", "{input}"], sizes(3, 300), (3000, 6000), "html",
         build="tidy 5.6.0"),
    Case("discount on small files", ["./markdown", "{input}"], sizes(100, 20_000), (200_000, 400_000), "markdown",
         build="discount 2.2.7"),
    Case("zstd on small files", ["./zstd_write", "{input}"], sizes(300, 100_000), (6_000_000, 12_000_000), "text",
         build="zstd 1.5.4"),
    Case("brotli on small files", ["./brotli_write", "{input}"], sizes(300, 100_000), (6_000_000, 12_000_000), "text",
         build="brotli 1.0.9"),
    Case("duktape on small scripts", ["./duk", "{input}"], sizes(3, 1000), (10_000, 20_000), "script_objects",
         build="duktape 2.7.0"),
    Case("m4 on small files", M4, sizes(3, 1000), (10_000, 20_000), "macros", build="m4 1.4.19"),
    Case("libyaml on small files", ["./yaml_read", "load", "{input}"], sizes(3, 300), (3000, 6000), "yaml", build="libyaml 0.2.5"),
]
