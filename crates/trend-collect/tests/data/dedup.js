function unique(items) {
  const seen = [];
  for (const item of items) {
    if (!has(seen, item)) {
      seen.push(item);
    }
  }
  return seen;
}

function has(items, x) {
  for (let i = 0; i < items.length; i++) {
    if (items[i] === x) {
      return true;
    }
  }
  return false;
}

const n = Number(process.argv[2]);
const items = Array.from({ length: n }, (_, i) => (i * 7919) % n);
console.log(unique(items).length);
