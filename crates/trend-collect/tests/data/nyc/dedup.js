function has(list, x) {
  for (let i = 0; i < list.length; i++) {
    if (list[i] === x) {
      return true;
    }
  }
  return false;
}

const size = Number(process.argv[2]);
const twice = (x) => 2 * x;
const unique = [];

class Bag {
  add(x) {
    const keep = () => {
      unique.push(x);
    };
    if (!has(unique, x)) {
      keep();
    }
    this.last = x;
  }
}

const bag = new Bag();
for (let i = 0; i < size; i++) {
  bag.add(twice(i));
}
console.log(unique.length);
