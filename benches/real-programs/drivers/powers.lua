-- A table whose keys are multiples of a large power of two.
local n = tonumber(arg[1])
local t, sum = {}, 0
for i = 1, n do t[i << 24] = i end
for i = 1, n do sum = sum + t[i << 24] end
print(sum)
