-- `pairs`: all pairs of n numbers; `matrix`: the product of two n by n matrices; `sum`: one pass.
local n = tonumber(arg[2])
local total = 0
if arg[1] == "pairs" then
  local t = {}
  for i = 1, n do t[i] = i * 7919 % 10007 end
  for i = 1, n do
    for j = i + 1, n do if t[i] > t[j] then total = total + 1 end end
  end
elseif arg[1] == "matrix" then
  local function matrix(seed)
    local m = {}
    for i = 1, n do
      m[i] = {}
      for j = 1, n do m[i][j] = (i * seed + j) % 11 end
    end
    return m
  end
  local a, b = matrix(3), matrix(5)
  for i = 1, n do
    for j = 1, n do
      local sum = 0
      for k = 1, n do sum = sum + a[i][k] * b[k][j] end
      total = total + sum
    end
  end
else
  local words = {}
  for i = 1, n do
    local word = "w" .. i % 97
    words[word] = (words[word] or 0) + 1
    total = total + #word
  end
end
print(total)
