/**
 * Calls the Rust code that computes costs and writes numbers, which is a WebAssembly module in the page. It is the code
 * of the terminal; `crates/trend-answer/src/module.rs` describes its functions.
 */

interface Exports extends Record<Text, (...numbers: number[]) => number> {
  memory: WebAssembly.Memory;
  input: (bytes: number) => number;
  output: () => number;
  point: (values: number) => number;
  begin: () => void;
  target: () => void;
  law: () => number;
  cost: (law: number) => number;
  row: () => number;
  outlook: (row: number) => number;
  outlook_at: (row: number) => number;
  supported_digits: (value: number, low: number, high: number) => number;
}

/** Functions that write a text. */
type Text =
  | 'significant'
  | 'cost_text'
  | 'cost_interval'
  | 'predicted'
  | 'exponent'
  | 'exponent_interval'
  | 'grouped'
  | 'size'
  | 'tick'
  | 'share'
  | 'r2'
  | 'seconds'
  | 'bytes'
  | 'picoseconds'
  | 'source';

export let exports: Exports;

/** Makes the module from its bytes. A browser that forbids WebAssembly throws here. */
export function startModule(bytes: BufferSource): void {
  exports = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Exports;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Keeps a number and its unit on one line. */
const BEFORE_UNIT = / (?=[a-zA-Zµ%])/g;

/** Returns the text that a function writes. */
export function text(name: Text, ...numbers: number[]): string {
  const length = exports[name](...numbers);
  const written = decoder.decode(new Uint8Array(exports.memory.buffer, exports.output(), length));
  return written.replace(BEFORE_UNIT, '\u00a0');
}

/** Writes a value as JSON to where the module reads it. */
export function send(value: unknown): void {
  const bytes = encoder.encode(JSON.stringify(value));
  // This may move the memory, so it comes first.
  const at = exports.input(bytes.length);
  new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
}

/** Writes a point to where the module reads it. */
export function sendPoint(point: readonly number[]): void {
  const at = exports.point(point.length);
  new Float64Array(exports.memory.buffer, at, point.length).set(point);
}

/** Reads the numbers of a prediction: its cost, interval and source. */
export function receivePoint(values: number): Float64Array {
  const at = exports.point(values);
  return new Float64Array(exports.memory.buffer, at, values);
}
