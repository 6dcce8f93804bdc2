#!/bin/sh
# Twelve files of distinct words in inputs/.
mkdir -p inputs
for n in 100 150 220 330 500 750 1100 1700 2500 3700 5600 8400; do
    seq 1000000 "$((999999 + n))" >"inputs/$n.txt"
done
