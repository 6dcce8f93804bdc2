/* C++'s operators. Those of C++'s own runtime call malloc and free, which note everything already; an allocator that is loaded beside the
 * program, such as jemalloc, has some that do not.
 */

static __attribute__((noinline)) void *found(void **place, const char *name) {
    void *next = dlsym(RTLD_NEXT, name);
    __atomic_store_n(place, next, __ATOMIC_RELEASE);
    return next;
}

/* The operator behind this one. */
#define BEHIND(name)                                                                                                   \
    static void *place;                                                                                                \
    void *behind = __atomic_load_n(&place, __ATOMIC_ACQUIRE);                                                          \
    if (__builtin_expect(!behind, 0))                                                                                  \
        behind = found(&place, #name);

#define NEW(name, parameters, arguments)                                                                               \
    EXPORT void *name parameters {                                                                                     \
        BEHIND(name)                                                                                                   \
        void *pointer = behind ? ((void *(*)parameters)behind)arguments : malloc(bytes);                               \
        if (pointer && is_on() && !is_noted(pointer))                                                                  \
            note(pointer, bytes, asked(FRAME));                                                                        \
        return pointer;                                                                                                \
    }

#define DELETE(name, parameters, arguments)                                                                            \
    EXPORT void name parameters {                                                                                      \
        BEHIND(name)                                                                                                   \
        if (!behind) {                                                                                                 \
            free(pointer);                                                                                             \
            return;                                                                                                    \
        }                                                                                                              \
        if (pointer && is_on()) {                                                                                      \
            struct noted noted = take(pointer);                                                                        \
            if (noted.site != NOBODY)                                                                                  \
                forget(noted);                                                                                         \
        }                                                                                                              \
        ((void (*)parameters)behind)arguments;                                                                         \
    }

/* Each for one object and for an array; alignments and std::nothrow are passed on as they come. */
#define NEWS(suffix, parameters, arguments)                                                                            \
    NEW(_Znw##suffix, parameters, arguments)                                                                           \
    NEW(_Zna##suffix, parameters, arguments)
#define DELETES(suffix, parameters, arguments)                                                                         \
    DELETE(_Zdl##suffix, parameters, arguments)                                                                        \
    DELETE(_Zda##suffix, parameters, arguments)

NEWS(m, (size_t bytes), (bytes))
NEWS(mRKSt9nothrow_t, (size_t bytes, const void *nothrow), (bytes, nothrow))
NEWS(mSt11align_val_t, (size_t bytes, size_t alignment), (bytes, alignment))
NEWS(mSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t alignment, const void *nothrow), (bytes, alignment, nothrow))

DELETES(Pv, (void *pointer), (pointer))
DELETES(Pvm, (void *pointer, size_t bytes), (pointer, bytes))
DELETES(PvRKSt9nothrow_t, (void *pointer, const void *nothrow), (pointer, nothrow))
DELETES(PvSt11align_val_t, (void *pointer, size_t alignment), (pointer, alignment))
DELETES(PvmSt11align_val_t, (void *pointer, size_t bytes, size_t alignment), (pointer, bytes, alignment))
DELETES(PvSt11align_val_tRKSt9nothrow_t, (void *pointer, size_t alignment, const void *nothrow), (pointer, alignment, nothrow))
