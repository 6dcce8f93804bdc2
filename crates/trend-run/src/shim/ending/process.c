/* Tracks the process: the copies of this object in it, its start, its forks and its end. */

static void start(void);
static void adopt(void);
static void watch_signals(void);
static void forget_signals(void);

static char path[PATH_MAX];
static struct sigaction once[_NSIG];
static struct process own = {.start = start, .adopt = adopt, .log = -1, .path = path, .once = once};
static struct module module = {
    .own = &own, .process = &process, .emit = emit, .reset = reset, .set_written = set_written};

static int is_program; /* this copy is the program's, not a library's */

extern int __register_atfork(void (*)(void), void (*)(void), void (*)(void), void *) __attribute__((weak));
extern int __cxa_at_quick_exit(void (*)(void *), void *) __attribute__((weak));
extern char *secure_getenv(const char *) __attribute__((weak));
extern void *__dso_handle __attribute__((weak, visibility("hidden")));

/* True if this process writes counts. A child of vfork shares its parent's memory, but has its own process id. */
static int is_on(void) { return process && process->state == ON && process->pid == process_id(); }

/* ---- finding the first copy: each copy has a note with the distance to its `own`, because not every library sees the
 * symbols of the program ---- */

#define LAYOUT 2
#define NAME "trend-prof"

__asm__(".pushsection .note.trend-prof,\"a\",%note\n"
        ".balign 4\n"
        ".long 11\n"
        ".long 4\n"
        ".long 2\n"
        ".asciz \"" NAME "\"\n"
        ".balign 4\n"
        ".long trend_prof_process - .\n"
        ".popsection\n");

struct found {
    int modules;
    struct process *first;
    int is_program; /* this copy is the program's */
};

static int look_into(struct dl_phdr_info *info, size_t size, void *data) {
    struct found *found = data;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const char *at = (const char *)(info->dlpi_addr + part->p_vaddr), *end = at + part->p_memsz;
        if (part->p_type == PT_LOAD && found->modules == 0)
            found->is_program |= (const char *)&own >= at && (const char *)&own < end;
        if (part->p_type != PT_NOTE)
            continue;
        size_t align = part->p_align == 8 ? 8 : 4;
        while (!found->first && end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
            const ElfW(Nhdr) *note = (const void *)at;
            size_t name = (note->n_namesz + align - 1) & -align, body = (note->n_descsz + align - 1) & -align;
            const char *text = at + sizeof *note;
            if ((size_t)(end - text) < name + body)
                break;
            if (note->n_type == LAYOUT && note->n_namesz == sizeof NAME && memcmp(text, NAME, sizeof NAME) == 0)
                found->first = (void *)(text + name + *(const int32_t *)(text + name));
            at = text + name + body;
        }
    }
    found->modules++;
    return 0;
}

/* ---- writing ---- */

enum claim { CLAIMED, NOTHING_LEFT, IN_USE };

/* Claims a module for writing. Writers block signals, so this never waits for a writer that it has interrupted. */
static enum claim claim(struct module *m) {
    for (int tries = 0; tries < 2000; tries++) {
        int state = IDLE;
        if (__atomic_compare_exchange_n(&m->state, &state, WRITING, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return CLAIMED;
        if (state == WRITTEN)
            return NOTHING_LEFT;
        /* Another thread is writing. Wait for it, because this thread may be about to end the process. */
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return IN_USE;
}

/* Writes the counters of one module, or of all modules that have not written them. Returns the round, or 0 on failure:
 * the counts of a process without an END are lost. */
static int write_counts(enum kind kind, struct module *only) {
    struct buffer b = {0};
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    int round = __atomic_add_fetch(&process->round, 1, __ATOMIC_RELAXED);
    int ok = extend(&b, sizeof(struct header)) != NULL;
    for (struct module *m = only ? only : process->modules; m; m = only ? NULL : m->next) {
        enum claim result = claim(m);
        ok = ok && result != IN_USE;
        if (result != CLAIMED)
            continue;
        m->round = round;
        ok = ok && m->emit(&b, process->is_child);
    }
    ok = ok && append_record(&b, kind, round);
    for (struct module *m = only ? only : process->modules; m; m = only ? NULL : m->next) {
        if (m->round == round && m->state == WRITING) {
            if (ok)
                m->was_written = m->set_written(1);
            __atomic_store_n(&m->state, ok ? WRITTEN : IDLE, __ATOMIC_RELEASE);
        }
    }
    if (b.bytes)
        munmap(b.bytes, b.room);
    sigprocmask(SIG_SETMASK, &before, NULL);
    return ok ? round : 0;
}

/* Cancels the record of a round, because the process goes on. */
static void go_on(int round) {
    int error = errno;
    append_mark(CANCEL, round);
    for (struct module *m = process->modules; m; m = m->next)
        if (m->round == round) {
            m->set_written(m->was_written);
            __atomic_store_n(&m->state, IDLE, __ATOMIC_RELEASE);
        }
    errno = error;
}

static void give_up_stray(void);

/* Writes the counters of this process, which is about to end or to become another program. Returns the round, with
 * which `go_on` can cancel the record. */
static int write_last(void) {
    give_up_stray();
    return is_on() ? write_counts(END, NULL) : 0;
}

/* ---- beginning and forking ---- */

static int begin(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    process->pid = process_id();
    process->token = now.tv_sec * 1000000000ULL + now.tv_nsec;
    if (process->alive)
        *process->alive = 1;
    return append_mark(BEGIN, 0);
}

static void watch_children(void) {
    char *page = mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page != MAP_FAILED && madvise(page, 1, MADV_WIPEONFORK) == 0)
        process->alive = page;
}

/* Gives up a child that a raw system call created without `in_child`: its counts cannot be separated from its parent's.
 * It is logged as a process that began and wrote nothing. A child of vfork shares its parent's memory, so `alive` is
 * still set, and nothing is done. */
static void give_up_stray(void) {
    if (!process || process->state != ON || process->pid == process_id() || !process->alive || *process->alive)
        return;
    begin();
    process->state = OFF;
    for (struct module *m = process->modules; m; m = m->next)
        m->set_written(1);
}

/* Makes a child count from zero, whatever its parent had counted or was writing. */
static void in_child(void) {
    if (!process || process->state != ON)
        return;
    int error = errno;
    for (struct module *m = process->modules; m; m = m->next) {
        m->state = IDLE;
        m->reset();
    }
    process->is_child = 1;
    begin();
    errno = error;
}

static void before_quick_exit(void *unused) { write_last(); }

static void adopt(void) {
    if (__register_atfork)
        __register_atfork(NULL, NULL, in_child, &__dso_handle ? &__dso_handle : NULL);
    watch_signals();
}

/* Starts recording. Runs in the first copy, before anything else in this object. */
static void start(void) {
    const char *named = secure_getenv ? secure_getenv(VARIABLE) : getenv(VARIABLE);
    own.state = OFF;
    if (!named || named[0] != '/' || strlen(named) >= sizeof path)
        return;
    strcpy(path, named);
    process = &own;
    watch_children();
    if (!open_log() || !begin())
        return;
    own.state = ON;
    adopt();
}

static void join(void) {
    struct found found = {0};
    dl_iterate_phdr(look_into, &found);
    process = found.first ? found.first : &own;
    if (process->state == NEW)
        process->start();
    if (process->state != ON)
        return;
    is_program = found.is_program;
    clang_is_mute = 1;
    module.next = process->modules;
    __atomic_store_n(&process->modules, &module, __ATOMIC_RELEASE);
    if (is_program && __cxa_at_quick_exit)
        __cxa_at_quick_exit(before_quick_exit, NULL);
}

/* Blocks signals until the handler can write, so that a process that is ended right after its start is not lost. */
__attribute__((constructor(101))) static void joined(void) {
    sigset_t all, before;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    join();
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* ---- leaving: the program exits, or a library is unloaded ---- */

/* Makes another copy the first one. */
static void hand_over(struct module *to) {
    memcpy(to->own->path, path, sizeof path);
    memcpy(to->own->once, once, sizeof once);
    to->own->state = ON;
    to->own->is_child = own.is_child;
    to->own->modules = to;
    to->own->pid = own.pid;
    to->own->token = own.token;
    to->own->alive = own.alive;
    to->own->round = own.round;
    to->own->log = own.log;
    to->own->device = own.device;
    to->own->inode = own.inode;
    for (struct module *m = to; m; m = m->next)
        *m->process = to->own;
    to->own->adopt();
}

__attribute__((destructor(101))) static void left(void) {
    sigset_t all, before;
    give_up_stray();
    if (!is_on())
        return;
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    int is_last = process->modules == &module && !module.next;
    if (!write_counts(is_program || is_last ? END : PART, &module) && module.state != WRITTEN)
        leave_to_runtime();
    if (!is_program) {
        struct module **m = &process->modules;
        while (*m && *m != &module)
            m = &(*m)->next;
        if (*m)
            *m = module.next;
        if (process == &own) {
            forget_signals();
            if (own.modules)
                hand_over(own.modules);
            else
                close_file(own.log);
            own.state = OFF;
        }
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}
