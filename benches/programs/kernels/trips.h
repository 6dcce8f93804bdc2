// With -DCOUNTED, TRIP counts the trips of the loop on its line, and CALL the calls of the function on its line.
// Where a trip that leaves the loop in the middle must not count, the loop's line has NO_TRIP. Behind the exit,
// TRIP_ABOVE(lines) then counts a trip of the loop that is this number of lines above.
// Without -DCOUNTED, the macros do nothing. The probe watches the program in this form.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef COUNTED
static unsigned long long executions[4096];
#define TRIP (executions[__LINE__]++)
#define TRIP_ABOVE(lines) (executions[__LINE__ - (lines)]++)
#define CALL (executions[__LINE__]++)
__attribute__((destructor)) static void print_executions(void) {
    for (int line = 0; line < 4096; line++)
        if (executions[line]) fprintf(stderr, "%d %llu\n", line, executions[line]);
}
#else
#define TRIP ((void)0)
#define TRIP_ABOVE(lines) ((void)0)
#define CALL ((void)0)
#endif
#define NO_TRIP ((void)0)

// Returns the next of a sequence of numbers that look random.
static unsigned next_number(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}
