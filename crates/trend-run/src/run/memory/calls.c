/* Wrappers of the functions that allocate and free memory. Each passes its call on to the next definition: the C
 * library's, or the program's replacement for it. */

#include <dlfcn.h>

static void *(*next_malloc)(size_t);
static void *(*next_calloc)(size_t, size_t);
static void *(*next_realloc)(void *, size_t);
static void (*next_free)(void *);
static void *(*next_memalign)(size_t, size_t);
static void *(*next_aligned_alloc)(size_t, size_t);
static int (*next_posix_memalign)(void **, size_t, size_t);
static void *(*next_valloc)(size_t);
static void *(*next_pvalloc)(size_t);
static int (*next_dlclose)(void *);

/* Memory for allocations while the next definitions are looked up. It is never freed. */
static char early[16 << 10] __attribute__((aligned(16)));
static size_t early_used;
static int is_looking;

static void *early_bytes(size_t bytes) {
    size_t at = __atomic_fetch_add(&early_used, (bytes + 31) & ~(size_t)15, __ATOMIC_RELAXED);
    if (bytes > sizeof early || at > sizeof early - 32 - bytes)
        return NULL;
    *(size_t *)(early + at) = bytes;
    return early + at + 16;
}

static int is_early(const void *pointer) { return (const char *)pointer >= early && (const char *)pointer < early + sizeof early; }

static void look_up_operators(void);

static void look_up(void) {
    if (__atomic_exchange_n(&is_looking, 1, __ATOMIC_ACQ_REL))
        return;
    next_calloc = dlsym(RTLD_NEXT, "calloc");
    next_realloc = dlsym(RTLD_NEXT, "realloc");
    next_free = dlsym(RTLD_NEXT, "free");
    next_memalign = dlsym(RTLD_NEXT, "memalign");
    next_aligned_alloc = dlsym(RTLD_NEXT, "aligned_alloc");
    next_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
    next_valloc = dlsym(RTLD_NEXT, "valloc");
    next_pvalloc = dlsym(RTLD_NEXT, "pvalloc");
    next_dlclose = dlsym(RTLD_NEXT, "dlclose");
    look_up_operators();
    /* malloc comes last: it exists, so this clears dlerror's message about a definition that does not. */
    __atomic_store_n(&next_malloc, dlsym(RTLD_NEXT, "malloc"), __ATOMIC_RELEASE);
}

/* True if calls can be passed on. */
FAST int is_known(void) {
    if (__builtin_expect(!__atomic_load_n(&next_malloc, __ATOMIC_ACQUIRE), 0)) {
        look_up();
        return __atomic_load_n(&next_malloc, __ATOMIC_ACQUIRE) != NULL;
    }
    return 1;
}

/* ---- the start of recording: in the process, or in a child of fork ---- */

static void *zeros(size_t bytes) {
    void *new = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return new == MAP_FAILED ? NULL : new;
}

static int begin(void) {
    const char *named = secure_getenv ? secure_getenv(FOLDER) : NULL;
    const char *own_code = secure_getenv ? secure_getenv(OWN_CODE) : NULL;
    if (!named || strlen(named) >= sizeof folder || !own_code || !map_own_code(own_code) || !module_count)
        return 0;
    strcpy(folder, named);
    size_t numbers = MOST_SITES * sizeof *site_numbers;
    rules = zeros(sizeof *rules << RULE_BITS);
    places = zeros(MOST_SITES * sizeof *places);
    place_index = zeros(PLACE_SLOTS * sizeof *place_index);
    site_numbers = zeros(numbers);
    return rules && places && place_index && site_numbers && madvise(site_numbers, numbers, MADV_WIPEONFORK) == 0 &&
           open_record();
}

/* Starts a new record in a child of fork, because the inherited one is the parent's. The code and its places are the same
 * as the parent's. A thread that is not in the child may have held their lock. */
static int begin_child(void) {
    munmap(record, FILE_BYTES);
    if (is_ours())
        close_file(file);
    unlock(&place_lock);
    chunk = CHILD_CHUNK;
    return open_record();
}

static __attribute__((noinline)) int enter(void) {
    if (!environ)
        return 0; /* the loader has not finished */
    if (__atomic_exchange_n(&process->lock, 1, __ATOMIC_ACQ_REL))
        return 0;
    int error = errno;
    int is_child = process != &nobody;
    if (!is_child) {
        struct process *page = zeros(sizeof *page);
        if (!page || madvise(page, sizeof *page, MADV_WIPEONFORK) != 0) {
            nobody.state = OFF;
            return 0;
        }
        page->lock = 1;
        process = page;
    }
    int is_on = is_child ? record && begin_child() : begin();
    if (!is_on)
        record = NULL;
    __atomic_store_n(&process->state, is_on ? ON : OFF, __ATOMIC_RELEASE);
    errno = error;
    return is_on;
}

FAST int is_on(void) {
    int state = __atomic_load_n(&process->state, __ATOMIC_ACQUIRE);
    return __builtin_expect(state == ON, 1) || (state == NEW && enter());
}

/* ---- the calls ---- */

#define EXPORT __attribute__((visibility("default")))
#define FRAME ((const struct frame *)__builtin_frame_address(0))

EXPORT void *malloc(size_t bytes) {
    if (!is_known())
        return early_bytes(bytes);
    void *pointer = next_malloc(bytes);
    if (pointer && is_on())
        note(pointer, bytes, asked(FRAME));
    return pointer;
}

EXPORT void *calloc(size_t number, size_t bytes) {
    if (!is_known())
        return early_bytes(number * bytes);
    void *pointer = next_calloc(number, bytes);
    if (pointer && is_on())
        note(pointer, number * bytes, asked(FRAME));
    return pointer;
}

EXPORT void free(void *pointer) {
    if (!pointer || is_early(pointer) || !is_known())
        return;
    if (is_on()) {
        struct noted noted = take(pointer);
        if (noted.site != NOBODY)
            forget(noted);
    }
    next_free(pointer);
}

EXPORT void *realloc(void *pointer, size_t bytes) {
    if (!is_known() || is_early(pointer)) {
        void *new = is_known() ? malloc(bytes) : early_bytes(bytes);
        size_t old = pointer ? *(size_t *)((char *)pointer - 16) : 0;
        if (new && pointer)
            memcpy(new, pointer, old < bytes ? old : bytes);
        return new;
    }
    if (!is_on())
        return next_realloc(pointer, bytes);
    /* Take the note first: once the memory is free, another thread may get it. */
    struct noted noted = pointer ? take(pointer) : (struct noted){NOBODY};
    void *new = next_realloc(pointer, bytes);
    if (noted.site != NOBODY && (new || bytes == 0))
        forget(noted);
    else if (noted.site != NOBODY)
        write_note(pointer, noted);
    if (new)
        note(new, bytes, asked(FRAME));
    return new;
}

EXPORT int posix_memalign(void **place, size_t alignment, size_t bytes) {
    if (!is_known() || !next_posix_memalign)
        return ENOMEM;
    int error = next_posix_memalign(place, alignment, bytes);
    if (error == 0 && is_on())
        note(*place, bytes, asked(FRAME));
    return error;
}

#define ALIGNED(name)                                                                                                  \
    EXPORT void *name(size_t alignment, size_t bytes) {                                                                \
        void *pointer = is_known() && next_##name ? next_##name(alignment, bytes) : NULL;                              \
        if (pointer && is_on())                                                                                        \
            note(pointer, bytes, asked(FRAME));                                                                        \
        return pointer;                                                                                                \
    }

ALIGNED(memalign)
ALIGNED(aligned_alloc)

#define OF_PAGES(name)                                                                                                 \
    EXPORT void *name(size_t bytes) {                                                                                  \
        void *pointer = is_known() && next_##name ? next_##name(bytes) : NULL;                                         \
        if (pointer && is_on())                                                                                        \
            note(pointer, bytes, asked(FRAME));                                                                        \
        return pointer;                                                                                                \
    }

OF_PAGES(valloc)
OF_PAGES(pvalloc)

/* Drops the rules of all addresses, because other code may be loaded where the library was. */
EXPORT int dlclose(void *library) {
    int result = is_known() && next_dlclose ? next_dlclose(library) : -1;
    if (is_on())
        memset(rules, 0, sizeof *rules << RULE_BITS);
    return result;
}
