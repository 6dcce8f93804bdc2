//! Tests with the containers and operators of C++, and the collections of Rust.

use super::*;

#[test]
fn containers_of_cpp_belong_to_the_lines_that_use_them() {
    let source = r#"
#include <string>
#include <vector>
#include <cstdlib>
#include <cstdio>
#include <memory>
struct Pair { long a, b; };
int main(int, char **words) {
    int n = std::atoi(words[1]);
    std::vector<int> numbers;
    for (int i = 0; i < n; i++)
        numbers.push_back(i); /* vector */
    std::vector<std::string> names;
    names.reserve(n); /* reserve */
    for (int i = 0; i < n; i++)
        names.emplace_back(40, 'x'); /* strings */
    auto pair = std::make_unique<Pair>(); /* unique */
    Pair *array = new Pair[n]; /* array */
    std::string copied = names[0]; /* copied */
    // Keeps the compiler from removing the unused values.
    asm volatile("" : : "r"(pair.get()), "r"(array), "r"(copied.data()) : "memory");
    std::printf("%zu %p\n", numbers.size() + names.size() + copied.size(), (void *)nullptr);
    delete[] array;
    return pair->a != 0;
}
"#;
    for optimised in ["-O0", "-O2"] {
        let lines = Program::new("cc", &[optimised], source).measured("1024");
        let vector = lines["vector"];
        assert_eq!((vector[0], vector[1], vector[4]), (11, 8188, 0), "{optimised} {lines:?}");
        let string = size_of::<[u64; 4]>() as u64;
        assert_eq!(lines["reserve"], [1, 1024 * string, 1024 * string, 1024 * string, 0]);
        // A string of 40 letters and its terminating zero.
        assert_eq!(lines["strings"], [1024, 1024 * 41, 1024 * 41, 1024 * 41, 0]);
        assert_eq!(lines["unique"], [1, 16, 16, 16, 0]);
        assert_eq!(lines["array"], [1, 16_384, 16_384, 16_384, 0]);
        assert_eq!(lines["copied"], [1, 41, 41, 41, 0]);
    }
}

/// A library whose operators do not call `malloc` and `free`.
const OPERATORS: &str = "
extern void *__libc_malloc(unsigned long);
extern void __libc_free(void *);
void *_Znwm(unsigned long bytes) { return __libc_malloc(bytes); }
void *_Znam(unsigned long bytes) { return __libc_malloc(bytes); }
void _ZdlPv(void *pointer) { __libc_free(pointer); }
void _ZdaPv(void *pointer) { __libc_free(pointer); }
void _ZdlPvm(void *pointer, unsigned long bytes) { __libc_free(pointer); }
void _ZdaPvm(void *pointer, unsigned long bytes) { __libc_free(pointer); }
";

#[test]
fn what_cpp_asks_of_an_allocator_with_operators_of_its_own_is_seen() {
    let folder = tempfile::tempdir().unwrap();
    let [source, library] = ["operators.c", "liboperators.so"].map(|name| folder.path().join(name));
    fs::write(&source, OPERATORS).unwrap();
    let compiled = Command::new("gcc").args(["-shared", "-fPIC", "-o"]).args([&library, &source]).status();
    assert!(compiled.unwrap().success());
    let program = r#"
#include <cstdlib>
int main(int, char **words) {
    int n = std::atoi(words[1]);
    long **all = new long *[n]; /* table */
    for (int i = 0; i < n; i++)
        all[i] = new long[4]; /* each */
    for (int i = 0; i < n; i += 2)
        delete[] all[i];
    long *one = new long; /* one */
    asm volatile("" : : "r"(all), "r"(one) : "memory");
    delete one;
    return 0;
}
"#;
    let run_path = format!("-Wl,-rpath,{}", folder.path().display());
    let options = ["-O1", library.to_str().unwrap(), &run_path];
    let lines = Program::new("cc", &options, program).measured("1000");
    assert_eq!(lines["table"], [1, 8000, 8000, 8000, 8000], "{lines:?}");
    assert_eq!(lines["each"], [1000, 32_000, 32_000, 32_000, 16_000], "{lines:?}");
    assert_eq!(lines["one"], [1, 8, 8, 0, 0], "{lines:?}");
}

#[test]
fn cpp_that_a_c_program_loads_has_aligned_objects_and_no_errors_of_the_loader() {
    let program = Program::new(
        "c",
        &["-O1", "-ldl"],
        r#"
#include <dlfcn.h>
#include <stdlib.h>
int main(int count, char **words) {
    if (dlerror())
        return 1;
    void *library = dlopen(words[1], RTLD_NOW | RTLD_LOCAL);
    int (*misaligned)(int) = (int (*)(int))dlsym(library, "misaligned");
    if (misaligned(100)) /* library */
        return 2;
    return dlerror() ? 3 : 0;
}
"#,
    );
    let [source, library] = ["plugin.cc", "plugin.so"].map(|name| program.folder.path().join(name));
    let plugin = r#"
struct alignas(64) Wide { char bytes[64]; };
extern "C" int misaligned(int n) {
    Wide **all = new Wide *[n];
    int found = 0;
    for (int i = 0; i < n; i++) {
        all[i] = new Wide;
        found += reinterpret_cast<unsigned long>(all[i]) % 64 != 0;
    }
    for (int i = 0; i < n; i++)
        delete all[i];
    delete[] all;
    return found;
}
"#;
    fs::write(&source, plugin).unwrap();
    let mut compiler = Command::new("g++");
    compiler.args(["-std=c++17", "-O1", "-shared", "-fPIC", "-o"]).args([&library, &source]);
    let Ok(status) = compiler.status() else {
        eprintln!("not tested: C++ that a C program loads: g++ is not installed");
        return;
    };
    assert!(status.success());
    let watch = program.watch();
    let output = program.run_shell(&watch, &format!("exec \"$0\" {}", library.display()));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let (lines, warnings) = program.lines(&watch);
    assert_eq!((lines["library"], warnings), ([101, 7200, 7200, 7200, 0], Vec::new()));
}

#[test]
fn collections_of_rust_belong_to_the_lines_that_use_them() {
    let source = r#"
use std::collections::HashMap;
fn main() {
    let n: u64 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut all: Vec<u64> = Vec::new();
    let mut known: HashMap<u64, u64> = HashMap::with_capacity(n as usize); /* map */
    let mut texts: Vec<String> = Vec::with_capacity(n as usize); /* texts */
    for i in 0..n {
        all.push(i); /* vector */
        known.insert(i, i);
        texts.push("x".repeat(40)); /* text */
    }
    let boxed = std::hint::black_box(Box::new([n; 4])); /* box */
    std::hint::black_box((&texts, &known));
    println!("{} {} {}", all.len() + known.len() + texts.len(), boxed[0], texts[0].len());
    let thread = std::thread::spawn(move || all.iter().sum::<u64>());
    println!("{}", thread.join().unwrap());
}
"#;
    for optimised in ["-Copt-level=0", "-Copt-level=2"] {
        let lines = Program::new("rs", &["--edition=2021", optimised], source).measured("1024");
        // The vector starts with 4 elements: 32 + 64 + … + 8192 bytes.
        assert_eq!(lines["vector"], [9, 16_352, 8192, 8192, 0], "{optimised} {lines:?}");
        // The map has 2048 buckets of 16 bytes, a control byte for each, and 16 more.
        assert_eq!(lines["map"], [1, 2048 * 17 + 16, 2048 * 17 + 16, 2048 * 17 + 16, 0]);
        assert_eq!(lines["texts"][1], 1024 * 24);
        assert_eq!(lines["text"], [1024, 40_960, 40_960, 40_960, 0], "{optimised} {lines:?}");
        assert_eq!(lines["box"], [1, 32, 32, 32, 0]);
    }
}
