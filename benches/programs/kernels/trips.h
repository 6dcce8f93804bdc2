// TRIP counts the trips of the loop on its line, and CALL the calls of the function on its line, when the program is
// built with -DCOUNTED. A trip that leaves the loop is not completed: where a loop can be left in the middle,
// TRIP_ABOVE(lines) stands behind that place and counts for the loop so many lines above, whose line has NO_TRIP.
// Without -DCOUNTED, all of them do nothing, and the program is what the probe watches.
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
