local s = string.rep("ab", 10)
local t = {}
for i, w in ipairs({3, 1, 2}) do t[i] = w end
table.sort(t)
print(s, #t, math.sin(1), string.format("%g %s", 1.5, "x"))
local ok, e = pcall(error, "no")
function act(t, q, v) for name, x in pairs({a = 1, b = 2}) do x = x end return nil end
