# How often each word occurs.
{ for (i = 1; i <= NF; i++) seen[$i]++ }
END { for (word in seen) print word, seen[word] }
