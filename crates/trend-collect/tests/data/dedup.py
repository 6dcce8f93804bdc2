import sys

def unique(items):
    seen = []
    for item in items:
        if item not in seen:
            seen.append(item)
    return seen

def insort(sorted_items, x):
    i = 0
    while i < len(sorted_items) and sorted_items[i] < x:
        i += 1
    sorted_items.insert(i, x)

def main(n):
    items = [(i * 7919) % n for i in range(n)]
    distinct = unique(items)
    ordered = []
    for x in distinct:
        insort(ordered, x)
    print(len(ordered))

main(int(sys.argv[1]))
