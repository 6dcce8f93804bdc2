/* Wrappers of the calls by which a program ends, or becomes another one, without its runtimes noticing. The linker
 * redirects these calls here (`--wrap`). */

int __real_daemon(int, int);
int __real_execve(const char *, char *const[], char *const[]);
int __real_execvp(const char *, char *const[]);
int __real_execvpe(const char *, char *const[], char *const[]);
int __real_fexecve(int, char *const[], char *const[]);
void __real_quick_exit(int) __attribute__((noreturn));
void __real___gcov_dump(void) __attribute__((weak));
void __real_llvm_writeout_files(void) __attribute__((weak));
void __real_llvm_reset_counters(void) __attribute__((weak));

void __wrap__exit(int code) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, NULL);
    write_last();
    __real__exit(code);
}

void __wrap__Exit(int code) { __wrap__exit(code); }

void __wrap_quick_exit(int code) {
    /* Without __cxa_at_quick_exit, the program's own quick_exit handlers run uncounted. */
    if (!__cxa_at_quick_exit || !is_program)
        write_last();
    __real_quick_exit(code);
}

/* daemon forks, and the parent ends inside the C library. */
int __wrap_daemon(int stays, int keeps_files) {
    int round = write_last();
    int result = __real_daemon(stays, keeps_files);
    if (round && is_on() && result != 0)
        go_on(round);
    return result;
}

/* ---- exec ---- */

static int failed_exec(int round, int result) {
    if (round)
        go_on(round);
    return result;
}

int __wrap_execve(const char *path, char *const words[], char *const variables[]) {
    int round = write_last();
    return failed_exec(round, __real_execve(path, words, variables));
}

int __wrap_execv(const char *path, char *const words[]) { return __wrap_execve(path, words, environ); }

int __wrap_execvp(const char *name, char *const words[]) {
    int round = write_last();
    return failed_exec(round, __real_execvp(name, words));
}

int __wrap_execvpe(const char *name, char *const words[], char *const variables[]) {
    int round = write_last();
    return failed_exec(round, __real_execvpe(name, words, variables));
}

int __wrap_fexecve(int fd, char *const words[], char *const variables[]) {
    int round = write_last();
    return failed_exec(round, __real_fexecve(fd, words, variables));
}

/* Collects the words of a call that lists them, up to NULL. `rest` is then positioned after NULL. */
#define LISTED(first)                                                                                                  \
    va_list rest;                                                                                                      \
    int number = first != NULL;                                                                                        \
    va_start(rest, first);                                                                                             \
    while (number && va_arg(rest, char *))                                                                             \
        number++;                                                                                                      \
    va_end(rest);                                                                                                      \
    char *words[number + 1];                                                                                           \
    words[0] = (char *)first;                                                                                          \
    va_start(rest, first);                                                                                             \
    for (int i = 1; i <= number; i++)                                                                                  \
        words[i] = va_arg(rest, char *)

int __wrap_execl(const char *path, const char *first, ...) {
    LISTED(first);
    va_end(rest);
    return __wrap_execv(path, words);
}

int __wrap_execlp(const char *name, const char *first, ...) {
    LISTED(first);
    va_end(rest);
    return __wrap_execvp(name, words);
}

int __wrap_execle(const char *path, const char *first, ...) {
    LISTED(first);
    char *const *variables = va_arg(rest, char *const *);
    va_end(rest);
    return __wrap_execve(path, words, variables);
}

/* gcc replaces calls of the exec functions by calls of these. */
#define ALIAS(name) __attribute__((alias(name)))
int __wrap___gcov_execve(const char *, char *const[], char *const[]) ALIAS("__wrap_execve");
int __wrap___gcov_execv(const char *, char *const[]) ALIAS("__wrap_execv");
int __wrap___gcov_execvp(const char *, char *const[]) ALIAS("__wrap_execvp");
int __wrap___gcov_execl(const char *, const char *, ...) ALIAS("__wrap_execl");
int __wrap___gcov_execlp(const char *, const char *, ...) ALIAS("__wrap_execlp");
int __wrap___gcov_execle(const char *, const char *, ...) ALIAS("__wrap_execle");

/* ---- calls with which a program has its counters written ---- */

/* Writes the counts so far, and resets the counters to zero. */
static int write_now(void) {
    int ok = write_counts(PART, &module);
    if (ok)
        reset();
    __atomic_store_n(&module.state, IDLE, __ATOMIC_RELEASE);
    return ok;
}

/* clang's function. libgcov itself remembers that its counters are written. */
void __wrap___gcov_dump(void) {
    if (!is_on())
        __real___gcov_dump();
    else if (module.state == IDLE)
        write_now();
}

int __wrap___llvm_profile_write_file(void) {
    if (!is_on())
        return __real___llvm_profile_write_file();
    return module.state != IDLE || write_now() ? 0 : -1;
}

int __wrap___llvm_profile_dump(void) {
    return is_on() ? __wrap___llvm_profile_write_file() : __real___llvm_profile_dump();
}

/* clang inserts calls of these before and after exec. */
void __wrap_llvm_writeout_files(void) {
    if (!is_on())
        __real_llvm_writeout_files();
}

void __wrap_llvm_reset_counters(void) {
    if (!is_on())
        __real_llvm_reset_counters();
}
