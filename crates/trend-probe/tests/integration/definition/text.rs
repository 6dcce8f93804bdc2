//! Random programs in C, and the code that they are linked with.

use std::fmt::Write as _;

use super::program::{Kind, Object, Program, SIZE, SLOTS, Span, Statement};

/// Code at the beginning of every program.
pub(crate) const HEAD: &str = r##"#define _GNU_SOURCE
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
typedef int routine(int, int, char *, jmp_buf *);
void note(void *);
void keep(int);
int zeros(void);
jmp_buf *jumps(void);
void threads(int, char *, routine *, routine *, routine *);
void baton(void);
void exhaust(void);
#define TEXT(x) #x
#define NUMBERED(x) asm volatile("# mark " TEXT(x));
#define MARK NUMBERED(__COUNTER__)
#define OPAQUE(x) ({ __typeof__(x) opaque = (x); asm volatile("" : "+r"(opaque)); opaque; })
typedef char t1; typedef short t2; typedef int t4; typedef long t8; typedef int t16 __attribute__((vector_size(16)));
typedef short u2 __attribute__((aligned(1))); typedef int u4 __attribute__((aligned(1)));
typedef long u8 __attribute__((aligned(1))); typedef t16 u16 __attribute__((aligned(1)));
typedef char u1;
static inline __attribute__((always_inline)) int v1(t1 v) { return v; }
static inline __attribute__((always_inline)) int v2(t2 v) { return v; }
static inline __attribute__((always_inline)) int v4(t4 v) { return v; }
static inline __attribute__((always_inline)) int v8(t8 v) { return v ^ (v >> 32); }
static inline __attribute__((always_inline)) int v16(t16 v) { return v[0] + 3 * v[1] + 5 * v[2] + 7 * v[3]; }
"##;

/// Code without the probe that the programs are linked with. It decides the order of threads, and notes the addresses
/// of objects.
pub(crate) const SUPPORT: &str = r#"#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
typedef int routine(int, int, char *, jmp_buf *);
static size_t noted, room; static void **notes;
void note(void *p) { if (noted == room) notes = realloc(notes, (room = 2 * room + 1000) * sizeof *notes); notes[noted++] = p; }
static unsigned kept, exhausted;
void keep(int s) { kept += s; exhausted = 0; }
extern __thread struct { void *top, *limit; unsigned last_id; } trend_probe_4_thread __attribute__((tls_model("initial-exec")));
void exhaust(void) { if (exhausted++ < 2) trend_probe_4_thread.last_id = LAST_ID; }
int zeros(void) { static int file; return file ? file : (file = open("/dev/zero", O_RDONLY)); }
static jmp_buf buffers[4][64];
static __thread int me = 3;
jmp_buf *jumps(void) { return buffers[me]; }
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; static pthread_cond_t handed = PTHREAD_COND_INITIALIZER;
static int turn, runs[3], depth; static char *argument; static routine *all[3];
static void hand_over(void) { for (int i = 1; i <= 3; i++) if (runs[(me + i) % 3]) { turn = (me + i) % 3; break; } pthread_cond_broadcast(&handed); }
static void wait(void) { while (turn != me) pthread_cond_wait(&handed, &lock); }
void baton(void) { if (me == 3) return; pthread_mutex_lock(&lock); hand_over(); wait(); pthread_mutex_unlock(&lock); }
static void *thread(void *number) { me = (int)(long)number; pthread_mutex_lock(&lock); wait(); pthread_mutex_unlock(&lock);
    int s = all[me](depth, 0, argument, jumps());
    pthread_mutex_lock(&lock); keep(s); runs[me] = 0; hand_over(); pthread_mutex_unlock(&lock); return 0; }
void threads(int d, char *a, routine *f0, routine *f1, routine *f2) { routine *of[] = {f0, f1, f2}; pthread_t t[3];
    depth = d; argument = a; turn = 0;
    for (int i = 0; i < 3; i++) runs[i] = (all[i] = of[i]) != 0;
    for (long i = 0; i < 3; i++) if (of[i]) pthread_create(&t[i], 0, thread, (void *)i);
    for (int i = 0; i < 3; i++) if (of[i]) pthread_join(t[i], 0); }
__attribute__((destructor)) static void tell(void) { for (size_t i = 0; i < noted; i++) printf("%p\n", notes[i]); }
"#;

impl Program {
    /// Returns the program's routines in C.
    pub(crate) fn text(&self, number: usize) -> String {
        let mut text = String::new();
        for global in 0..self.globals {
            writeln!(text, "_Alignas(16) char p{number}_g{global}[{SIZE}];").unwrap();
        }
        writeln!(text, "_Alignas(16) char *p{number}_h[{SLOTS}];").unwrap();
        for routine in 0..self.routines.len() {
            writeln!(text, "routine p{number}_f{routine};").unwrap();
        }
        for (index, routine) in self.routines.iter().enumerate() {
            let volatile = if self.has_jumps { "volatile " } else { "" };
            write!(
                text,
                "__attribute__((noinline)) int p{number}_f{index}(int d, int j, char *a, jmp_buf *b) {{\n{volatile}int s = 0;\n"
            )
            .unwrap();
            for global in 0..self.globals {
                let name = format!("p{number}_g{global}");
                let value = if self.is_volatile { name } else { format!("OPAQUE(&{name}[0])") };
                writeln!(text, "char *g{global} = {value};").unwrap();
            }
            let slots = format!("p{number}_h");
            let value = if self.is_volatile { slots } else { format!("OPAQUE(&{slots}[0])") };
            writeln!(text, "char **h = {value};").unwrap();
            if routine.has_local {
                writeln!(text, "_Alignas(16) char l[{SIZE}]; note(l); memset(l, 0, {SIZE});").unwrap();
            }
            let mut writer = Writer { text: &mut text, number, program: self };
            writer.block(&routine.body, 0, 0);
            text.push_str("return s;\n}\n");
        }
        text
    }

    /// Returns the code by which `main` calls the program.
    pub(crate) fn call(&self, number: usize) -> String {
        let mut text = String::new();
        for global in 0..self.globals {
            write!(text, "note(p{number}_g{global}); ").unwrap();
        }
        writeln!(text, "note(p{number}_h); keep(p{number}_f0({}, 0, p{number}_g0, jumps()));", self.depth)
            .unwrap();
        text
    }
}

struct Writer<'a> {
    text: &'a mut String,
    number: usize,
    program: &'a Program,
}

impl Writer<'_> {
    fn block(&mut self, body: &[Statement], tries: u64, loops: u64) {
        for statement in body {
            let line = self.statement(statement, tries, loops);
            self.text.push_str(&line);
            self.text.push('\n');
        }
    }

    fn nested(&self, body: &[Statement], tries: u64, loops: u64) -> String {
        let mut text = String::from("MARK\n");
        Writer { text: &mut text, number: self.number, program: self.program }.block(body, tries, loops);
        text
    }

    fn statement(&self, statement: &Statement, tries: u64, loops: u64) -> String {
        let volatile = if self.program.is_volatile { "volatile " } else { "" };
        let slot = |slot: usize| format!("*(char *{volatile}*)&h[{slot}]");
        let at = |place: &Span| {
            let base = match place.object {
                Object::Heap(_) => "q".to_owned(),
                object => pointer(object),
            };
            match (loops, place.stride) {
                (0, _) | (_, 0) => format!("({base} + {})", place.offset),
                (_, stride) => format!("({base} + {} + i{} * {stride})", place.offset, loops - 1),
            }
        };
        let length = |length: u64, is_known: bool| {
            if is_known { length.to_string() } else { format!("OPAQUE({length}L)") }
        };
        let number = self.number;
        match statement {
            Statement::Access { kind, place, size, is_aligned } => {
                let name = if *is_aligned { "t" } else { "u" };
                let place_text = format!("*({name}{size} {volatile}*){}", at(place));
                let access = match kind {
                    Kind::Read => format!("s = s * 3 + v{size}({place_text});"),
                    Kind::Write => format!("{place_text} = (t{size}){{0}} + (char)d;"),
                    Kind::Update => {
                        format!(
                            "{{ t{size} v = {place_text}; s = s * 3 + v{size}(v); {place_text} = v + 1; }}"
                        )
                    }
                    Kind::Atomic => {
                        let pointer = format!("OPAQUE((t{size} *){})", at(place));
                        format!("s = s * 3 + v{size}(__atomic_fetch_add({pointer}, 1, __ATOMIC_SEQ_CST));")
                    }
                };
                match place.object {
                    Object::Heap(of) => {
                        format!("{{ char *q = {}; if (q) {{ MARK {access} }} MARK }}", slot(of))
                    }
                    _ => access,
                }
            }
            Statement::Copy { from, to, length: bytes, is_known } => {
                let bytes = length(*bytes, *is_known);
                format!("memmove({}, {}, {bytes}); asm volatile(\"\" ::: \"memory\");", at(to), at(from))
            }
            Statement::Fill { to, length: bytes, is_known } => {
                format!("memset({}, d, {});", at(to), length(*bytes, *is_known))
            }
            Statement::Kernel { to, length } => format!("s = s * 3 + read(zeros(), {}, {length});", at(to)),
            Statement::Loop { times, is_known, body } => {
                let body = self.nested(body, tries, loops + 1);
                let times = length(*times, *is_known);
                format!(
                    "{{ long n{loops} = {times}; for (long i{loops} = 0; i{loops} < n{loops}; i{loops}++) {{ {body}}} MARK }}"
                )
            }
            Statement::Call { routine, argument, depth } => format!(
                "if (OPAQUE(d) >= {depth}) {{ MARK s = s * 3 + p{number}_f{routine}(d - 1, j + {tries}, {}, b); }} MARK",
                pointer(*argument)
            ),
            Statement::Allocate { slot: of, length, is_zeroed } => {
                let slot = slot(*of);
                let call =
                    if *is_zeroed { format!("calloc({length}, 1)") } else { format!("malloc({length})") };
                format!("{{ char *q = {slot}; if (!q) {{ MARK q = {call}; note(q); {slot} = q; }} MARK }}")
            }
            Statement::Reallocate { slot: of, length } => {
                let slot = slot(*of);
                format!(
                    "{{ char *q = {slot}; if (q) {{ MARK q = realloc(q, {length}); note(q); {slot} = q; }} MARK }}"
                )
            }
            Statement::Free { slot: of } => {
                let slot = slot(*of);
                format!("{{ char *q = {slot}; if (q) {{ MARK free(q); {slot} = 0; }} MARK }}")
            }
            Statement::Try { body, handler } => {
                let body = self.nested(body, tries + 1, loops);
                let handler = self.nested(handler, tries, loops);
                format!("if (setjmp(b[j + {tries}]) == 0) {{ {body}}} else {{ {handler}}} MARK")
            }
            Statement::Jump { levels, depth } => format!(
                "if ((OPAQUE(d) == {depth}) & (j + {tries} > {levels})) {{ MARK longjmp(b[j + {tries} - 1 - {levels}], 1); }} MARK"
            ),
            Statement::Threads { routines, argument } => {
                let mut names = routines.iter().map(|routine| format!("p{number}_f{routine}"));
                let [a, b, c] = [(); 3].map(|()| names.next().unwrap_or_else(|| "0".to_owned()));
                format!("threads(d - 1, {}, {a}, {b}, {c});", pointer(*argument))
            }
            Statement::Baton => "baton();".to_owned(),
            Statement::Exhaust => "exhaust();".to_owned(),
        }
    }
}

fn pointer(object: Object) -> String {
    match object {
        Object::Global(number) => format!("g{number}"),
        Object::Local => "l".to_owned(),
        Object::Argument => "a".to_owned(),
        Object::Heap(_) => unreachable!("blocks are not passed on"),
    }
}
