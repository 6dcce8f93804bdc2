/**
 * Calls the page's WebAssembly module: the Rust code of the terminal, which computes costs and formats numbers.
 * `crates/trend-answer/src/module.rs` describes its functions.
 */

interface Exports extends Record<Text | Question, (...numbers: number[]) => number> {
  memory: WebAssembly.Memory;
  output: () => number;
  point: (values: number) => number;
  begin: (features: number) => void;
  target: () => number;
  law: () => number;
  cost: (law: number) => number;
  row: () => number;
  outlook: (row: number) => number;
  outlook_at: (row: number) => number;
  supported_digits: (value: number, low: number, high: number) => number;
  share_of_whole: (cost: number, part: number, whole: number) => number;
  hidden: (share: number, cost: number, growth: number, law: number, low: number, high: number) => number;
}

/** Functions that make a text. */
type Text =
  | 'significant'
  | 'cost_text'
  | 'cost_interval'
  | 'cost_ends'
  | 'predicted'
  | 'exponent'
  | 'exponent_interval'
  | 'grouped'
  | 'size'
  | 'byte_size'
  | 'tick'
  | 'share'
  | 'probability'
  | 'r2'
  | 'seconds'
  | 'seconds_as'
  | 'seconds_ends'
  | 'bytes'
  | 'bytes_ends'
  | 'picoseconds';

/** Functions that replace the point by their result and return the length of the result. */
type Question = 'raise' | 'widen' | 'choose' | 'time' | 'time_shares' | 'peak' | 'fill_in';

export let exports: Exports;

/** Makes the module from its bytes. A browser that forbids WebAssembly throws here. */
export function startModule(bytes: BufferSource): void {
  exports = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Exports;
}

const decoder = new TextDecoder();

/** Keeps a number and its unit on one line. */
const BEFORE_UNIT = / (?=[a-zA-Zµ%])/g;

/** Returns the text that a function writes. */
export function text(name: Text, ...numbers: number[]): string {
  const length = exports[name](...numbers);
  const written = decoder.decode(new Uint8Array(exports.memory.buffer, exports.output(), length));
  return written.replace(BEFORE_UNIT, '\u00a0');
}

let numbers = new Float64Array();

/** Returns the module's memory as numbers. It moves when it grows. */
function memory(): Float64Array {
  const { buffer } = exports.memory;
  if (numbers.buffer !== buffer) numbers = new Float64Array(buffer);
  return numbers;
}

/** Writes a point to the memory from which the module reads it. */
export function sendPoint(point: readonly number[]): void {
  // This may move the memory, so it comes first.
  const at = exports.point(point.length) / Float64Array.BYTES_PER_ELEMENT;
  memory().set(point, at);
}

/** Reads numbers that the module wrote. */
export function receivePoint(values: number): Float64Array {
  const at = exports.point(values) / Float64Array.BYTES_PER_ELEMENT;
  return memory().subarray(at, at + values);
}

/** Returns the answer to a question with these numbers; empty if there is none. */
export function ask(question: Question, numbers: readonly number[]): number[] {
  sendPoint(numbers);
  return Array.from(receivePoint(exports[question]()));
}
