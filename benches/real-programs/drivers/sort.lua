-- Sorts the numbers in a file, one per line.
local numbers = {}
for line in io.lines(arg[1]) do numbers[#numbers + 1] = tonumber(line) end
table.sort(numbers)
for i = 2, #numbers do assert(numbers[i - 1] <= numbers[i]) end
