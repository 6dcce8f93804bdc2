void bubble_sort(int n, int *arr) { int i = 0;
    while (i < n) {
        int j = i + 1;
        while (j < n) {
            if (arr[j] < arr[i])
                { int swapped = arr[i]; arr[i] = arr[j]; arr[j] = swapped; }
            j++; }
        ++i; } }

/* The bubble sort of Goldsmith, Aiken and Wilkerson, "Measuring Empirical
 * Computational Complexity" (ESEC/FSE 2007), with the paper's line numbers:
 *
 *     line 2      the outer test        n + 1 times
 *     line 4      the inner test        n(n + 1) / 2 times
 *     line 5      the compare           n(n - 1) / 2 times
 *     line 6      the swap              as often as the input is out of order
 *
 * Before: arr[0 .. n-1] is an array of ints. After: the same ints, sorted from
 * least to greatest. The braces stand where they do so that every line is
 * exactly one basic block.
 */
