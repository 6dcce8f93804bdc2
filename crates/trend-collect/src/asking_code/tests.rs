//! Tests the roles of code in small programs, by symbols and calls.

use std::process::Command;

use object::{Object, ObjectSymbol};

use super::*;

/// Compiles a program and finds its own code. The folder holds the compiled program.
fn compiled(source: &str, language: &str, options: &[&str]) -> (AskingCode, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(format!("own.{language}"));
    std::fs::write(&file, source).unwrap();
    let compiler = if language == "c" { "gcc" } else { "g++" };
    let object = folder.path().join("own");
    let status = Command::new(compiler).args(options).arg(&file).arg("-o").arg(&object).status().unwrap();
    assert!(status.success());
    (AskingCode::parse(&std::fs::read(object).unwrap()).unwrap(), folder)
}

/// Returns address and size of a function from the symbol table.
fn address(folder: &tempfile::TempDir, name: &str) -> (u64, u64) {
    let bytes = std::fs::read(folder.path().join("own")).unwrap();
    let file = object::File::parse(&*bytes).unwrap();
    let symbol = file.symbols().find(|s| s.name() == Ok(name)).unwrap();
    (symbol.address(), symbol.size())
}

/// Returns the address of the last byte of each call in a function, just before the return address.
fn calls(folder: &tempfile::TempDir, name: &str) -> Vec<u64> {
    let (begin, size) = address(folder, name);
    let mut objdump = Command::new("objdump");
    objdump.args(["-d", "--no-show-raw-insn"]).arg(folder.path().join("own"));
    let text = String::from_utf8(objdump.output().unwrap().stdout).unwrap();
    let lines: Vec<(u64, bool)> = text
        .lines()
        .filter_map(|line| {
            let (at, code) = line.trim_start().split_once(":\t")?;
            Some((u64::from_str_radix(at, 16).ok()?, code.starts_with("call")))
        })
        .collect();
    let pairs = lines.windows(2).filter(|pair| pair[0].1 && (begin..begin + size).contains(&pair[0].0));
    pairs.map(|pair| pair[1].0 - 1).collect()
}

const C: &str = "#include <stdlib.h>\n\
    typedef void *memory;\n\
    struct node { struct node *next; };\n\
    __attribute__((noinline)) memory get(size_t n) { memory p = malloc(n); if (!p) abort(); return p; }\n\
    __attribute__((noinline)) int out(void **p) { *p = malloc(8); return *p != 0; }\n\
    __attribute__((noinline)) struct node *push(struct node *list) {\n\
      struct node *n = get(sizeof *n);\n\
      n->next = list;\n\
      return n;\n\
    }\n\
    int main(void) { void *p; return !push(0) + out(&p); }\n";

#[test]
fn functions_that_give_untyped_memory_hand_on() {
    for options in [&["-g", "-O0"][..], &["-g", "-O2"], &["-gdwarf-4", "-O2"]] {
        let (mut own, folder) = compiled(C, "c", options);
        for (name, role, lines) in
            [("get", Role::HandsOn, 4..=4), ("out", Role::HandsOn, 5..=5), ("push", Role::Asks, 6..=10)]
        {
            let (begin, size) = address(&folder, name);
            for at in begin..begin + size {
                assert_eq!(own.role(at), Some(role), "{name} {options:?} {at:x}");
            }
            let asker = own.asker(begin + size / 2).unwrap();
            assert!(asker.file.ends_with("own.c") && &*asker.function == name);
            assert!(lines.contains(&asker.line), "{asker:?}");
        }
        assert_eq!(own.role(address(&folder, "_start").0), None);
    }
}

#[test]
fn functions_that_give_cells_and_do_nothing_with_them_hand_on() {
    let source = "#include <stdlib.h>\n\
        #define ALONE __attribute__((noinline))\n\
        typedef unsigned char byte;\n\
        struct node { int value; };\n\
        ALONE char *text(size_t n) { char *p = malloc(n); if (!p) { abort(); } return p; }\n\
        ALONE byte *bytes(unsigned n, size_t m) { if (n > m) { byte *p = malloc(n); return p; } return malloc(m); }\n\
        ALONE int *filled(size_t n) { int *p = malloc(n * 4); for (int i = 0; i < n; i++) p[i] = i; return p; }\n\
        ALONE char *copy(char *of, int n) { char *p = malloc(n); *p = *of; return p; }\n\
        ALONE char *square(long n) { return malloc(n * n); }\n\
        ALONE struct node *node(unsigned v) { struct node *n = malloc(sizeof *n); n->value = v; return n; }\n\
        int main(int n, char **v) { return !text(n) + !bytes(n, 2) + !filled(n) + !copy(*v, n) + !node(n) + !square(n); }\n";
    for options in [&["-g", "-O0"][..], &["-g", "-O2"]] {
        let (own, folder) = compiled(source, "c", options);
        let role = |name: &str| own.role(address(&folder, name).0 + 1).unwrap();
        assert_eq!(["text", "bytes"].map(role), [Role::HandsOn; 2], "{options:?}");
        assert_eq!(["filled", "copy", "node", "square", "main"].map(role), [Role::Asks; 5], "{options:?}");
    }
}

#[test]
fn what_is_inlined_into_own_code_and_library_code_is_told_apart() {
    let source = "#include <vector>\n\
        __attribute__((noinline)) void fill(std::vector<int> &v, int n) {\n\
          for (int i = 0; i < n; i++) v.push_back(i);\n\
        }\n\
        int main(int n, char **) { std::vector<int> v; fill(v, n); return v.size(); }\n";
    let (mut own, folder) = compiled(source, "cc", &["-g", "-O2"]);
    let calls = calls(&folder, "_Z4fillRSt6vectorIiSaIiEEi");
    assert!(!calls.is_empty());
    for at in calls {
        assert_eq!(own.role(at), Some(Role::Asks), "{at:x}");
        let asker = own.asker(at).unwrap();
        assert!(asker.file.ends_with("own.cc") && (2..=4).contains(&asker.line), "{asker:?}");
    }
    // A library function that was not inlined belongs to the library.
    let (own, folder) = compiled(source, "cc", &["-g", "-O0"]);
    let (begin, size) = address(&folder, "_ZNSt6vectorIiSaIiEE9push_backERKi");
    assert_eq!((own.role(begin), own.role(begin + size / 2)), (None, None));
}

#[test]
fn without_debug_information_functions_ask_and_libraries_do_not() {
    let (mut own, folder) = compiled(C, "c", &["-O1"]);
    assert!(!own.has_lines());
    let (begin, _) = address(&folder, "push");
    assert_eq!(own.role(begin + 1), Some(Role::Asks));
    assert_eq!(&*own.asker(begin + 1).unwrap().function, "push");
}

#[test]
fn functions_that_keep_counters_are_told_from_own_code() {
    let (own, folder) = compiled(C, "c", &["-g", "-O1", "--coverage"]);
    for (name, role) in [("__gcov_exit", Some(Role::Counts)), ("push", Some(Role::Asks)), ("_start", None)] {
        assert_eq!(own.role(address(&folder, name).0), role, "{name}");
    }
}

#[test]
fn the_table_has_every_module_and_range() {
    let ranges = vec![(16, 32, Role::Asks), (1 << 33, (1 << 33) + (1 << 32), Role::HandsOn)];
    let object = CodeObject::parse(&std::fs::read("/bin/true").unwrap()).unwrap();
    let own = AskingCode { object, has_lines: true, ranges, handing: HashSet::new() };
    let table = AskingCode::table([(1, 2, &own), (3, 4, &own)].into_iter());
    let word = |at: usize| u64::from_ne_bytes(table[8 * at..8 * at + 8].try_into().unwrap());
    assert_eq!((word(0), word(1)), (MAGIC, 2));
    assert_eq!((2..10).map(word).collect::<Vec<_>>(), [1, 2, 0, 3, 3, 4, 3, 3]);
    assert_eq!((word(10), word(11)), (16, 16 | (1 << 32)));
    // A range of 2³² bytes is split into two.
    assert_eq!((word(12), word(14)), (1 << 33, (1 << 33) + u64::from(u32::MAX)));
    assert_eq!(table.len(), 16 + 2 * 32 + 6 * 16);
}

#[test]
fn debug_information_that_was_cut_or_changed_gives_no_panic() {
    let (_, folder) = compiled(C, "c", &["-g", "-O2"]);
    let whole = std::fs::read(folder.path().join("own")).unwrap();
    for length in (0..whole.len()).step_by(97) {
        let _ = AskingCode::parse(&whole[..length]);
    }
    let file = object::File::parse(&*whole).unwrap();
    let mut random = 1_u64;
    for name in [".debug_info", ".debug_abbrev", ".debug_line", ".debug_rnglists"] {
        let Some((at, size)) =
            object::ObjectSection::file_range(&file.section_by_name(name).unwrap()).filter(|r| r.1 > 0)
        else {
            continue;
        };
        for _ in 0..300 {
            let mut damaged = whole.clone();
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            damaged[(at + (random >> 33) % size) as usize] = (random >> 20) as u8;
            if let Ok(mut own) = AskingCode::parse(&damaged) {
                own.asker(address(&folder, "push").0);
            }
        }
    }
}
