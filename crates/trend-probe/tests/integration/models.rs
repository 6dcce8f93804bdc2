//! Compares reads and writes of the C library's functions with their documentation.

use std::fmt::Write as _;

use trend_profile::Variable;

use crate::support::{Build, Costs};

const HEAD: &str = "#define _GNU_SOURCE\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n#include <sys/mman.h>\n\
    #include <sys/syscall.h>\n#include <unistd.h>\n#include <wchar.h>\n#define NEVER __attribute__((noinline))\n\
    _Alignas(16) char a[400], b[400], buffer[400]; _Alignas(16) wchar_t v[100], w[100]; char *place; volatile long result; FILE *stream; int fd; int of_context;\n\
    #define TEXT _Alignas(16) const char\n\
    TEXT few[8] = \"0123\"; TEXT zero[8] = \"0\"; TEXT four[8] = \"45\"; TEXT five[8] = \"56\"; TEXT six[8] = \"456\"; TEXT none[8] = \"#\";\n\
    TEXT number[8] = \"%ld\"; TEXT three[16] = \"%d%ld %s\"; TEXT numbers[16] = \"%d %d %d\"; TEXT read_whole[8] = \"7 8 9\"; TEXT read_partly[8] = \"7 x\";\n\
    NEVER int sum(const char *p, long n) { const int *a = (const int *)p; int s = 0; for (long i = 0; i < n / 4; i++) s += a[i]; return s; }\n\
    NEVER int compared(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }\n\
    NEVER int compared_in(const void *x, const void *y, void *c) { return *(const int *)x - *(const int *)y + *(int *)c; }\n";

/// Runs a program whose calls stay as they are: the compiler does not know the functions of the library.
fn run(rest: &str, metric: &str) -> Costs {
    let build = Build { compiler: &["-fno-builtin"], probe: &["--metric", metric], ..Build::default() };
    build.program(&format!("{HEAD}{rest}")).run(&[])
}

/// A name, a call, the number of cells that it reads, and the number of cells of `buffer` that it writes.
type Case = (&'static str, &'static str, u64, u64);

/// Before each call, `a` and `b` get these texts, and `v` and `w` these wide texts. Only `main` has accessed them.
const SET: &str = "NEVER void set(void) { memset(buffer, '-', 399); strcpy(a, \"0123456789abcdef0123\"); strcpy(b, \"0123456789aXcdef0123\");
    wcscpy(v, L\"0123456789\"); wcscpy(w, L\"01234X6789\"); place = 0; of_context = 0; }\n";

/// Texts are in cells of four bytes; a wide character is one cell, and a pointer two.
const CASES: &[Case] = &[
    ("strlen", "result = strlen(a)", 6, 0),
    ("strnlen", "result = strnlen(a, 8)", 2, 0),
    // The texts differ at the twelfth byte.
    ("strcmp", "result = strcmp(a, b)", 6, 0),
    ("strcmp_of_longer", "result = strcmp(a, a + 16)", 4, 0),
    ("strncmp", "result = strncmp(a, b, 8)", 4, 0),
    ("strcmp_of_cases", "a[0] = 'a'; b[0] = 'A'; result = strcmp(a, b)", 0, 0),
    ("strcasecmp", "a[0] = 'a'; b[0] = 'A'; result = strcasecmp(a, b)", 4, 0),
    ("memcmp", "result = memcmp(a, b, 12)", 6, 0),
    ("strchr", "result = (long)strchr(a, '4')", 2, 0),
    ("strchr_of_none", "result = (long)strchr(a, '#')", 6, 0),
    ("strrchr", "result = (long)strrchr(a, '0')", 6, 0),
    ("memchr", "result = (long)memchr(a, '9', 400)", 3, 0),
    ("memchr_of_none", "result = (long)memchr(a, '#', 16)", 4, 0),
    ("strstr_of_none", "result = (long)strstr(a, b + 4)", 11, 0),
    // It is found at the fourth byte, and is known to match at the eighth.
    ("strstr", "b[8] = 0; result = (long)strstr(a, b + 4)", 3, 0),
    ("strspn", "result = strspn(a, few)", 4, 0),
    ("strpbrk", "result = (long)strpbrk(a, five)", 3, 0),
    ("strcpy", "strcpy(buffer, a)", 6, 6),
    ("strncpy", "strncpy(buffer, a, 40)", 6, 10),
    ("strcat", "buffer[0] = 0; strcat(buffer, a)", 6, 6),
    ("strncat", "buffer[0] = 0; strncat(buffer, a, 10)", 3, 3),
    ("strdup", "result = *strdup(a)", 6, 0),
    ("strndup", "result = *strndup(a, 8)", 2, 0),
    ("memcpy", "memcpy(buffer, a, 16)", 4, 4),
    ("memset", "memset(buffer, 0, 40)", 0, 10),
    ("memccpy", "result = (long)memccpy(buffer, a, '5', 400)", 2, 2),
    ("memccpy_of_none", "result = (long)memccpy(buffer, a, '#', 16)", 4, 4),
    ("strtol", "result = strtol(a + 16, &place, 10)", 2, 0),
    ("atoi", "result = atoi(a + 16)", 2, 0),
    ("strtok", "result = (long)strtok(a, four)", 3, 0),
    ("strtok_twice", "strtok(a, four); result = (long)strtok(0, six)", 8, 0),
    ("strtok_of_all", "for (char *p = strtok(a, zero); p; p = strtok(0, zero)) result = *p;", 7, 0),
    ("strtok_r", "result = (long)strtok_r(a, four, &place)", 3, 0),
    ("strtok_r_twice", "strtok_r(a, four, &place); result = (long)strtok_r(0, six, &place)", 8, 0),
    ("strsep", "place = a; result = (long)strsep(&place, four)", 3, 0),
    ("strsep_of_none", "place = a; result = (long)strsep(&place, none)", 7, 0),
    ("wcslen", "result = wcslen(v)", 11, 0),
    ("wcsnlen", "result = wcsnlen(v, 4)", 4, 0),
    ("wcscmp", "result = wcscmp(v, w)", 12, 0),
    ("wcsncmp", "result = wcsncmp(v, w, 4)", 8, 0),
    ("wcschr", "result = (long)wcschr(v, L'4')", 5, 0),
    ("wcschr_of_none", "result = (long)wcschr(v, L'#')", 11, 0),
    ("wcsrchr", "result = (long)wcsrchr(v, L'4')", 11, 0),
    ("wcscpy", "wcscpy((wchar_t *)buffer, v)", 11, 11),
    ("wcsncpy", "wcsncpy((wchar_t *)buffer, v, 20)", 11, 20),
    ("wcscat", "*(wchar_t *)buffer = 0; wcscat((wchar_t *)buffer, v)", 11, 11),
    ("wcsdup", "result = *wcsdup(v)", 11, 0),
    ("wmemcpy", "wmemcpy((wchar_t *)buffer, v, 8)", 8, 8),
    ("wmemset", "wmemset((wchar_t *)buffer, 0, 8)", 0, 8),
    ("wmemcmp", "result = wmemcmp(v, w, 8)", 16, 0),
    ("wmemchr", "result = (long)wmemchr(v, L'3', 100)", 4, 0),
    ("wmemchr_of_none", "result = (long)wmemchr(v, L'#', 6)", 6, 0),
    // A format of three bytes and its terminator are one cell.
    ("snprintf", "result = snprintf(buffer, 400, number, 1234567L)", 1, 2),
    ("snprintf_cut", "result = snprintf(buffer, 4, number, 1234567L)", 1, 1),
    ("snprintf_of_none", "result = snprintf(buffer, 0, number, 1234567L)", 1, 0),
    ("sprintf", "result = sprintf(buffer, number, 1234567L)", 1, 2),
    ("sscanf", "result = sscanf(read_whole, three, (int *)buffer, (long *)(buffer + 8), buffer + 16)", 5, 4),
    (
        "sscanf_of_less",
        "result = sscanf(read_partly, numbers, (int *)buffer, (int *)(buffer + 8), (int *)(buffer + 16))",
        4,
        1,
    ),
    // The compared value is a part of the buffer.
    ("bsearch", "result = (long)bsearch(buffer + 396, buffer, 99, 4, compared)", 0, 0),
    ("posix_memalign", "void *p = 0; if (posix_memalign(&p, 64, 400)) abort(); result = sum(p, 400)", 0, 0),
    ("posix_memalign_failed", "void *p = (void *)(1L << 45); result = posix_memalign(&p, 3, 400)", 0, 0),
    ("calloc", "result = sum(calloc(100, 4), 400)", 0, 0),
    ("write", "result = write(fd, a, 16)", 5, 0),
    ("write_raw", "result = syscall(SYS_write, fd, a, 16)", 5, 0),
    ("fwrite", "result = fwrite(a, 4, 4, stream)", 6, 0),
    ("fputs", "result = fputs(a, stream)", 8, 0),
];

#[test]
fn functions_of_the_library_read_and_write_what_is_documented() {
    let mut source = String::from(SET);
    for (name, call, ..) in CASES {
        writeln!(source, "NEVER void by_{name}(void) {{ {call}; result = sum(buffer, 400); }}").unwrap();
    }
    source.push_str("int main(void) { stream = fopen(\"/dev/null\", \"w\"); fd = fileno(stream);\n");
    for (name, ..) in CASES {
        writeln!(source, "set(); by_{name}();").unwrap();
    }
    source.push_str("return 0; }");
    for metric in ["rms", "drms"] {
        let costs = run(&source, metric);
        assert!(costs.not_probed.is_empty(), "{:?}", costs.not_probed);
        let wrong: Vec<_> = CASES
            .iter()
            // Cells of the buffer that the call does not write are read after it.
            .map(|(name, _, reads, writes)| {
                (name, reads + 100 - writes, costs.only(&format!("by_{name}")).size())
            })
            .filter(|(_, expected, measured)| expected != measured)
            .collect();
        assert!(wrong.is_empty(), "{metric}: name, expected, found: {wrong:?}");
    }
}

#[test]
fn what_sorts_reads_and_writes_the_array() {
    let costs = run(
        "NEVER void by_qsort(void) { qsort(buffer, 100, 4, compared); result = sum(buffer, 400); }
        NEVER void by_qsort_r(void) { qsort_r(buffer, 100, 4, compared_in, &of_context); result = sum(buffer, 400); }
        int main(void) { for (int i = 0; i < 100; i++) ((int *)buffer)[i] = -i; by_qsort();
            for (int i = 0; i < 100; i++) ((int *)buffer)[i] = -i; by_qsort_r(); return 0; }",
        "rms",
    );
    assert!(costs.not_probed.is_empty(), "{:?}", costs.not_probed);
    let [plain, with_context] = ["by_qsort", "by_qsort_r"].map(|routine| costs.only(routine).size());
    // The library may compare copies in its own memory. The context is one more cell.
    assert!((100..=200).contains(&plain), "{plain}");
    assert_eq!(with_context, plain + 1);
}

#[test]
fn what_a_function_appends_is_all_that_it_writes() {
    // The other thread reads the written cells again, and no others.
    let appended = |call: &str| {
        let costs = run(
            &format!(
                "#include <pthread.h>\n{SET}static void *append(void *n) {{ {call}; return 0; }}
                NEVER void whole(void) {{ pthread_t t; sum(buffer, 400); pthread_create(&t, 0, append, 0); pthread_join(t, 0); result = sum(buffer, 400); }}
                int main(void) {{ set(); memset(buffer, 0, 400); strcpy(buffer, a); wcscpy((wchar_t *)buffer + 10, v); whole(); return 0; }}"
            ),
            "drms",
        );
        let [whole] = costs.by("whole", Variable::Drms)[..] else { panic!("{costs:?}") };
        whole.parts.from_threads.unwrap()
    };
    // Twenty characters are there; the first written cell holds their terminator.
    assert_eq!(appended("strcat(buffer, \"12345678901\")"), 3);
    assert_eq!(appended("strncat(buffer, \"12345678901\", 4)"), 2);
    assert_eq!(appended("strncat(buffer, \"123\", 4)"), 1);
    assert_eq!(appended("wcscat((wchar_t *)buffer + 10, L\"123\")"), 4);
    assert_eq!(appended("strcpy(buffer + 40 + 4 * 10 + 4, a)"), 6);
}

#[test]
fn what_is_taken_of_a_stream_by_a_format_is_told_as_not_known() {
    let costs = run(
        "NEVER int taken(void) { int n[100]; for (int i = 0; i < 100; i++) if (fscanf(stream, \"%d\", &n[i]) != 1) abort(); return sum((char *)n, 400); }
        int main(void) { stream = tmpfile(); for (int i = 0; i < 100; i++) fprintf(stream, \"%d \", i); rewind(stream); result = taken(); return 0; }",
        "drms",
    );
    assert_eq!(costs.not_probed.iter().find(|(name, _)| name.contains("fscanf")).unwrap().1, &100);
    // The target of its write is known, so only the format and the stream are read.
    assert!(costs.only("taken").size() < 5, "{:?}", costs.costs_of("taken"));
}

/// Makes a file of 4 MB, and defines macros: one maps the file, one maps memory, and one maps memory at an address by a
/// call that is not seen, like the library's own ones.
const MAPPED: &str = "#define FILE_OF(n, how) mmap(0, n, PROT_READ | PROT_WRITE, how, fd, 0)\n\
    #define MEMORY_AT(p, n) mmap(p, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (p ? MAP_FIXED : 0), -1, 0)\n\
    #define UNTOLD_AT(p, n) if (syscall(SYS_mmap, p, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != (long)(p)) abort()\n\
    static void make(void) { stream = tmpfile(); fd = fileno(stream); if (ftruncate(fd, 1 << 22)) abort(); }\n";

/// Returns, for the only call of a routine, the cells from the kernel, all cells, and the RMS.
fn kernels(rest: &str, routine: &str) -> [u64; 3] {
    let costs = run(&format!("{MAPPED}{rest}\nint main(void) {{ make(); work(); return 0; }}"), "drms");
    assert!(
        costs.not_probed.keys().all(|name| name == "tmpfile" || name == "syscall"),
        "{:?}",
        costs.not_probed
    );
    match (&costs.by(routine, Variable::Drms)[..], &costs.by(routine, Variable::Rms)[..]) {
        ([drms], [rms]) if drms.count == 1 => [drms.parts.from_kernel.unwrap(), drms.size(), rms.size()],
        other => panic!("{other:?}"),
    }
}

#[test]
fn files_are_input_however_many_are_mapped() {
    for how in ["MAP_PRIVATE", "MAP_SHARED"] {
        let kernel_reads = kernels(
            &format!(
                "char *all[200];
                NEVER void whole(void) {{ for (int i = 0; i < 200; i++) result = sum(all[i], 400); }}
                NEVER void work(void) {{ for (int i = 0; i < 200; i++) {{ all[i] = FILE_OF(4096, {how}); MEMORY_AT((void *)0, 8192); }} whole(); }}"
            ),
            "whole",
        );
        // 200 pointers to them come in addition.
        assert_eq!(kernel_reads, [20_000, 20_400, 20_400], "{how}");
    }
}

#[test]
fn what_is_mapped_where_a_file_was_is_no_input_of_the_kernels() {
    let memory = "NEVER void whole(char *p) { result = sum(p, 400); }\n";
    for work in [
        "char *p = FILE_OF(8192, MAP_PRIVATE); munmap(p, 8192); if (MEMORY_AT(p, 8192) != p) abort(); whole(p);",
        "char *p = FILE_OF(8192, MAP_PRIVATE); MEMORY_AT(p, 8192); whole(p);",
        // Mappings that the library makes for itself are not seen.
        "char *p = FILE_OF(8000, MAP_SHARED); munmap(p, 5000); UNTOLD_AT(p, 8192); whole(p + 4096);",
    ] {
        let [from_kernel, ..] = kernels(&format!("{memory}NEVER void work(void) {{ {work} }}"), "whole");
        assert_eq!(from_kernel, 0, "{work}");
    }
    // The rest of the file stays mapped around the part that was replaced by a mapping without a file.
    let cut = "char *p = FILE_OF(3 * 4096, MAP_PRIVATE); if (mmap(p + 4096, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, 0, 0) != p + 4096) abort();";
    for (page, from_kernel) in [(0, 100), (1, 0), (2, 100)] {
        let work = format!("{memory}NEVER void work(void) {{ {cut} whole(p + 4096 * {page}); }}");
        assert_eq!(kernels(&work, "whole"), [from_kernel, 100, 100], "{page}");
    }
}

#[test]
fn a_mapping_that_moves_or_grows_keeps_what_is_known_of_it() {
    let head = "NEVER char *moved(char *p, long old, long new) { char *q = mremap(p, old, new, MREMAP_MAYMOVE); if (q == MAP_FAILED) abort(); return q; }\n";
    // Another mapping follows it, so it must move.
    let file = "char *p = FILE_OF(8192, MAP_SHARED), *q; MEMORY_AT(p + 4096, 4096);";
    // Cells that the caller has read do not count as its input a second time, wherever they are.
    let source = format!(
        "{head}NEVER void whole(void) {{ {file} result = sum(p, 400); q = moved(p, 4096, 8192); if (p == q) abort(); result = sum(q, 400); }}
        NEVER void work(void) {{ whole(); }}"
    );
    assert_eq!(kernels(&source, "whole"), [100, 101, 101]);
    // New cells of the mapping belong to the file.
    let grown = format!(
        "{head}NEVER void whole(char *p) {{ result = sum(p, 8192); }}
        NEVER void work(void) {{ {file} q = moved(p, 4096, 8192); whole(q); }}"
    );
    assert_eq!(kernels(&grown, "whole"), [2048, 2048, 2048]);
    // Other memory can take its former place.
    let left = format!(
        "{head}NEVER void whole(char *p) {{ result = sum(p, 400); }}
        NEVER void work(void) {{ {file} q = moved(p, 4096, 8192); UNTOLD_AT(p, 4096); whole(p); }}"
    );
    assert_eq!(kernels(&left, "whole")[0], 0);
    let cut = format!(
        "{head}NEVER void whole(char *p) {{ result = sum(p, 400); }}
        NEVER void work(void) {{ char *p = FILE_OF(8192, MAP_SHARED); moved(p, 8192, 4096); UNTOLD_AT(p + 4096, 4096); whole(p + 4096); }}"
    );
    assert_eq!(kernels(&cut, "whole")[0], 0);
    // A routine's own memory is not its input, however large it grows.
    let memory = format!(
        "{head}NEVER void whole(void) {{ char *p = MEMORY_AT((void *)0, 8192); memset(p, 1, 4096); mprotect(p + 4096, 4096, PROT_NONE); p = moved(p, 4096, 1 << 20); result = sum(p, 1 << 20); }}
        NEVER void work(void) {{ whole(); }}"
    );
    assert_eq!(kernels(&memory, "whole"), [0, 0, 0]);
}
