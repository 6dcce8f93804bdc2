/* Wrappers of C++'s operators new and delete. The operators of C++'s own runtime call malloc and free, which note
 * everything already. An allocator that is loaded with the program, such as jemalloc, has operators that do not.
 *
 * A program in C may load C++ while it runs. The loaded library then uses these operators, and RTLD_NEXT does not find
 * its own ones. In this case the operators call the functions of calls.c.
 */

#define NEW(name, parameters, arguments, call)                                                                         \
    static void *plain##name parameters { return call; }                                                               \
    static void *(*next##name) parameters = plain##name;                                                               \
    EXPORT void *name parameters {                                                                                     \
        is_known();                                                                                                    \
        void *pointer = next##name arguments;                                                                          \
        if (pointer && is_on() && !is_noted(pointer))                                                                  \
            note(pointer, bytes, asked(FRAME));                                                                        \
        return pointer;                                                                                                \
    }

#define DELETE(name, parameters, arguments)                                                                            \
    static void plain##name parameters { free(pointer); }                                                              \
    static void (*next##name) parameters = plain##name;                                                                \
    EXPORT void name parameters {                                                                                      \
        if (is_known() && pointer && is_on()) {                                                                        \
            struct noted noted = take(pointer);                                                                        \
            if (noted.site != NOBODY)                                                                                  \
                forget(noted);                                                                                         \
        }                                                                                                              \
        next##name arguments;                                                                                          \
    }

/* The operators for one object and for an array. std::nothrow is passed on unchanged. */
#define NEWS(EACH, suffix, parameters, arguments, call)                                                                \
    EACH(_Znw##suffix, parameters, arguments, call)                                                                    \
    EACH(_Zna##suffix, parameters, arguments, call)
#define DELETES(EACH, suffix, parameters, arguments)                                                                   \
    EACH(_Zdl##suffix, parameters, arguments)                                                                          \
    EACH(_Zda##suffix, parameters, arguments)

#define NOTHROW const void *nothrow
#define OPERATORS(NEW, DELETE)                                                                                         \
    NEWS(NEW, m, (size_t bytes), (bytes), malloc(bytes))                                                               \
    NEWS(NEW, mRKSt9nothrow_t, (size_t bytes, NOTHROW), (bytes, nothrow), malloc(bytes))                               \
    NEWS(NEW, mSt11align_val_t, (size_t bytes, size_t alignment), (bytes, alignment), memalign(alignment, bytes))      \
    NEWS(NEW, mSt11align_val_tRKSt9nothrow_t, (size_t bytes, size_t alignment, NOTHROW), (bytes, alignment, nothrow),  \
         memalign(alignment, bytes))                                                                                   \
    DELETES(DELETE, Pv, (void *pointer), (pointer))                                                                    \
    DELETES(DELETE, Pvm, (void *pointer, size_t bytes), (pointer, bytes))                                              \
    DELETES(DELETE, PvRKSt9nothrow_t, (void *pointer, NOTHROW), (pointer, nothrow))                                    \
    DELETES(DELETE, PvSt11align_val_t, (void *pointer, size_t alignment), (pointer, alignment))                        \
    DELETES(DELETE, PvmSt11align_val_t, (void *pointer, size_t bytes, size_t alignment), (pointer, bytes, alignment))  \
    DELETES(DELETE, PvSt11align_val_tRKSt9nothrow_t, (void *pointer, size_t alignment, NOTHROW),                       \
            (pointer, alignment, nothrow))

OPERATORS(NEW, DELETE)

#define LOOK_UP(name, ...)                                                                                             \
    if ((next = dlsym(RTLD_NEXT, #name)))                                                                              \
        next##name = next;

static void look_up_operators(void) {
    void *next;
    OPERATORS(LOOK_UP, LOOK_UP)
}
