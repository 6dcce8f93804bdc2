// Small programs for engines of JavaScript. `queue` takes items from the front of an array, `characters` asks a string for
// each of its characters; `objects`, `sort` and `matrix` are what they say. The name and n stand in `mode` and `n`.
function objects(n) {
  var words = {}, list = [], total = 0;
  for (var i = 0; i < n; i++) {
    var word = "w" + i % 97;
    words[word] = (words[word] || 0) + 1;
    list.push({ name: word, size: i % 7 });
  }
  for (var k = 0; k < n; k++) total += list[k].size;
  return total;
}
function queue(n) {
  var waiting = [], total = objects(n);
  for (var i = 0; i < n; i++) waiting.push(i % 7);
  while (waiting.length > 0) total += waiting.shift();
  return total;
}
function characters(n) {
  var text = "", total = objects(n);
  while (text.length < n) text = text === "" ? "abcdefgh" : text + text;
  for (var i = 0; i < n; i++) if (text.charAt(i) === "a") total++;
  return total;
}
function sort(n) {
  var list = [], x = 1;
  for (var i = 0; i < n; i++) list.push(x = x * 16807 % 2147483647);
  list.sort(function (a, b) { return a - b; });
  return list[0];
}
function matrix(n) {
  var a = [], b = [], total = 0;
  for (var i = 0; i < n; i++) {
    a.push([]);
    b.push([]);
    for (var j = 0; j < n; j++) {
      a[i].push((3 * i + j) % 11);
      b[i].push((5 * i + j) % 11);
    }
  }
  for (i = 0; i < n; i++) {
    for (j = 0; j < n; j++) {
      var sum = 0;
      for (var k = 0; k < n; k++) sum += a[i][k] * b[k][j];
      total += sum;
    }
  }
  return total;
}
print({ objects: objects, queue: queue, characters: characters, sort: sort, matrix: matrix }[mode](n));
