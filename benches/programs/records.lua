local all = {}
for i = 1, 600000 do all[i] = { name = "n" .. i, value = i } end
local sum = 0
for _, one in ipairs(all) do sum = sum + one.value + #one.name end
print(sum)
