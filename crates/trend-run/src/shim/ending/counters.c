/* Serializes the counters of one module as its runtime would: gcc's libgcov, clang's gcov or LLVM's profile. The
 * symbols of a runtime that is not linked into the module are null. */

/* ---- gcc: libgcov's list of objects, laid out as in libgcov.h of gcc 9 to 15 ---- */

struct gcov_function {
    const void *key; /* the object that it belongs to; the linker may have kept another object's copy */
    uint32_t ident, lines_checksum, flow_checksum;
    struct {
        uint32_t number;
        int64_t *values;
    } arcs;
};

struct gcov_object {
    uint32_t version;
    struct gcov_object *next;
    uint32_t stamp;
    const char *file;
    void *merge[];
};

struct gcov_object_12 { /* since gcc 12 */
    uint32_t version;
    struct gcov_object *next;
    uint32_t stamp, checksum;
    const char *file;
    void *merge[];
};

struct gcov_root {
    struct gcov_object *objects;
    unsigned is_written : 1;
};

extern struct gcov_root __gcov_root __attribute__((weak));

enum { FUNCTION = 0x01000000, ARCS = 0x01a10000, MOST_KINDS = 16 };

/* The letters `gcda` as a number. */
#define GCDA_MAGIC 0x67636461u

static const struct gcov_object_12 *since_12(const struct gcov_object *o) {
    unsigned first = o->version >> 24, second = (o->version >> 16) & 0xff;
    int is_new = first >= 'A' && (first - 'A') * 10 + (second - '0') >= 12;
    return is_new ? (const void *)o : NULL;
}

/* Returns an object's functions. The first `merge` pointer is the one for arcs. It is followed by one for each other
 * kind of counters in this version of gcc, and then by the number of functions. Coverage uses only arcs, so that the
 * other pointers are null. */
static const struct gcov_function *const *functions_of(const struct gcov_object *o, uint32_t *number) {
    void *const *slots = since_12(o) ? since_12(o)->merge : o->merge;
    for (int kind = 1; slots[0] && kind < MOST_KINDS; kind++) {
        if (slots[kind]) {
            memcpy(number, &slots[kind], sizeof *number);
            return slots[kind + 1];
        }
    }
    *number = 0;
    return NULL;
}

static int are_zero(const void *bytes, size_t length) {
    const char *c = bytes;
    return length == 0 || (*c == 0 && memcmp(c, c + 1, length - 1) == 0);
}

static int put_counters(struct buffer *b, const int64_t *values, uint32_t number) {
    for (uint32_t i = 0; i < number; i++)
        if (!put_word(b, (uint32_t)values[i]) || !put_word(b, (uint32_t)((uint64_t)values[i] >> 32)))
            return 0;
    return 1;
}

static int emit_gcc_object(struct buffer *b, const struct gcov_object *o, int skips_zeros) {
    const struct gcov_object_12 *new = since_12(o);
    uint32_t number, unit = new ? 4 : 1; /* lengths are in bytes since gcc 12, and in words before */
    const struct gcov_function *const *functions = functions_of(o, &number);
    size_t begin = b->length;
    if (!functions)
        return 1;
    int is_skipped = skips_zeros, ok = begin_entry(b, GCDA, new ? new->file : o->file) && put_word(b, GCDA_MAGIC) &&
                                       put_word(b, o->version) && put_word(b, o->stamp) &&
                                       (!new || put_word(b, new->checksum));
    for (uint32_t i = 0; ok && i < number; i++) {
        const struct gcov_function *f = functions[i];
        if (!f || f->key != o)
            continue;
        uint32_t counters = f->arcs.number, length = counters * 2 * unit;
        int is_zero = are_zero(f->arcs.values, counters * sizeof *f->arcs.values);
        is_skipped &= is_zero;
        /* A negative length without a body means that all counters are zero. */
        ok = put_word(b, FUNCTION) && put_word(b, 3 * unit) && put_word(b, f->ident) &&
             put_word(b, f->lines_checksum) && put_word(b, f->flow_checksum) && put_word(b, ARCS) &&
             put_word(b, is_zero ? -length : length) && (is_zero || put_counters(b, f->arcs.values, counters));
    }
    if (!ok || !put_word(b, 0))
        return 0;
    end_entry(b, begin);
    if (is_skipped)
        b->length = begin;
    return 1;
}

static int emit_gcc(struct buffer *b, int skips_zeros) {
    /* If the program called `__gcov_dump`, the counters are already written. */
    if (!&__gcov_root || __gcov_root.is_written)
        return 1;
    for (const struct gcov_object *o = __gcov_root.objects; o; o = since_12(o) ? since_12(o)->next : o->next)
        if (!emit_gcc_object(b, o, skips_zeros))
            return 0;
    return 1;
}

static void reset_gcc(void) {
    uint32_t number;
    if (!&__gcov_root)
        return;
    for (const struct gcov_object *o = __gcov_root.objects; o; o = o->next) {
        const struct gcov_function *const *functions = functions_of(o, &number);
        for (uint32_t i = 0; functions && i < number; i++)
            if (functions[i] && functions[i]->key == o)
                memset(functions[i]->arcs.values, 0, functions[i]->arcs.number * sizeof(int64_t));
    }
    __gcov_root.is_written = 0;
}

/* ---- clang's gcov: each object registers a function that passes all its counters to the runtime ---- */

struct clang_object {
    struct clang_object *next;
    void (*write)(void), (*reset)(void);
};

static struct clang_object *clang_objects;
static struct buffer *clang_buffer; /* where the objects' functions write now */
static int clang_skips_zeros, clang_is_zero, clang_failed, clang_is_mute;
static size_t clang_begin;

void __real_llvm_gcov_init(void (*)(void), void (*)(void)) __attribute__((weak));
void __real_llvm_gcda_start_file(const char *, uint32_t, uint32_t) __attribute__((weak));
void __real_llvm_gcda_emit_function(uint32_t, uint32_t, uint32_t) __attribute__((weak));
void __real_llvm_gcda_emit_arcs(uint32_t, uint64_t *) __attribute__((weak));
void __real_llvm_gcda_summary_info(void) __attribute__((weak));
void __real_llvm_gcda_end_file(void) __attribute__((weak));

void __wrap_llvm_gcov_init(void (*write)(void), void (*reset)(void)) {
    struct clang_object *object = malloc(sizeof *object); /* a constructor calls this */
    if (object) {
        *object = (struct clang_object){clang_objects, write, reset};
        clang_objects = object;
    }
    if (__real_llvm_gcov_init)
        __real_llvm_gcov_init(write, reset);
}

void __wrap_llvm_gcda_start_file(const char *file, uint32_t version, uint32_t checksum) {
    struct buffer *b = clang_buffer;
    if (b) {
        clang_begin = b->length;
        clang_is_zero = clang_skips_zeros;
        clang_failed |= !(begin_entry(b, GCDA, file) && put_word(b, GCDA_MAGIC) && put_word(b, version) &&
                          put_word(b, checksum));
    } else if (!clang_is_mute) {
        __real_llvm_gcda_start_file(file, version, checksum);
    }
}

void __wrap_llvm_gcda_emit_function(uint32_t ident, uint32_t checksum, uint32_t flow_checksum) {
    struct buffer *b = clang_buffer;
    if (b)
        clang_failed |= !(put_word(b, FUNCTION) && put_word(b, 3) && put_word(b, ident) && put_word(b, checksum) &&
                          put_word(b, flow_checksum));
    else if (!clang_is_mute)
        __real_llvm_gcda_emit_function(ident, checksum, flow_checksum);
}

void __wrap_llvm_gcda_emit_arcs(uint32_t number, uint64_t *values) {
    struct buffer *b = clang_buffer;
    if (b) {
        clang_is_zero &= are_zero(values, number * sizeof *values);
        clang_failed |= !(put_word(b, ARCS) && put_word(b, 2 * number) && put_counters(b, (int64_t *)values, number));
    } else if (!clang_is_mute) {
        __real_llvm_gcda_emit_arcs(number, values);
    }
}

void __wrap_llvm_gcda_summary_info(void) {
    if (!clang_buffer && !clang_is_mute)
        __real_llvm_gcda_summary_info();
}

void __wrap_llvm_gcda_end_file(void) {
    struct buffer *b = clang_buffer;
    if (b && !clang_failed && !(clang_failed = !put_word(b, 0))) {
        end_entry(b, clang_begin);
        if (clang_is_zero)
            b->length = clang_begin;
    } else if (!b && !clang_is_mute) {
        __real_llvm_gcda_end_file();
    }
}

static int emit_clang(struct buffer *b, int skips_zeros) {
    clang_failed = 0;
    clang_skips_zeros = skips_zeros;
    clang_buffer = b;
    for (struct clang_object *o = clang_objects; o && !clang_failed; o = o->next)
        o->write();
    clang_buffer = NULL;
    return !clang_failed;
}

/* ---- LLVM's profile ---- */

extern uint64_t __llvm_profile_get_size_for_buffer(void) __attribute__((weak));
extern int __llvm_profile_write_buffer(char *) __attribute__((weak));
extern char *__llvm_profile_begin_counters(void) __attribute__((weak));
extern char *__llvm_profile_end_counters(void) __attribute__((weak));
extern void __llvm_profile_reset_counters(void) __attribute__((weak));
void __real___llvm_profile_initialize(void) __attribute__((weak));
int __real___llvm_profile_write_file(void) __attribute__((weak));
int __real___llvm_profile_dump(void) __attribute__((weak));

static int is_on(void);

/* The runtime's constructor calls this. The original makes the runtime write its profile at exit. */
void __wrap___llvm_profile_initialize(void) {
    if (!is_on() && __real___llvm_profile_initialize)
        __real___llvm_profile_initialize();
}

static int emit_llvm(struct buffer *b, int skips_zeros) {
    size_t begin = b->length;
    if (!__llvm_profile_write_buffer || !__llvm_profile_begin_counters)
        return 1;
    char *first = __llvm_profile_begin_counters(), *end = __llvm_profile_end_counters();
    if (first == end || (skips_zeros && are_zero(first, end - first)))
        return 1;
    size_t length = __llvm_profile_get_size_for_buffer();
    char *at = begin_entry(b, PROFRAW, "") ? extend(b, length) : NULL;
    if (!at || __llvm_profile_write_buffer(at) != 0)
        return 0;
    end_entry(b, begin);
    return 1;
}

/* ---- all of them ---- */

static int emit(struct buffer *b, int skips_zeros) {
    return emit_gcc(b, skips_zeros) && emit_clang(b, skips_zeros) && emit_llvm(b, skips_zeros);
}

/* Marks gcc's counters as written or not, and returns the previous mark. Counters with the mark are not written by
 * libgcov at exit. */
static int set_written(int are) {
    if (!&__gcov_root)
        return 0;
    int were = __gcov_root.is_written;
    __gcov_root.is_written = are;
    return were;
}

/* Resets all counters to zero. */
static void reset(void) {
    reset_gcc();
    for (struct clang_object *o = clang_objects; o; o = o->next)
        o->reset();
    if (__llvm_profile_reset_counters)
        __llvm_profile_reset_counters();
}

/* Leaves the counters to the runtimes, because they could not be written here. The runtimes write to their own files
 * and print their own errors. */
static void leave_to_runtime(void) {
    clang_is_mute = 0;
    if (__real___llvm_profile_initialize && __real___llvm_profile_write_file) {
        __real___llvm_profile_initialize();
        __real___llvm_profile_write_file();
    }
}
