-- Makes n strings of 128 bytes that differ only where a hash of every fifth byte does not look.
local n = tonumber(arg[1])
local fill = string.rep("x", 128 - 12)
for i = 1, n do
  local text = string.format("xx.%04d.%04d", math.floor(i / 10000), i % 10000) .. fill
  if #text ~= 128 then error("length") end
  keep = keep or {}
  keep[i] = text
end
