/** Sizes as people write them, by the same rules as the command line: `128MB`, `1e6`, `64KiB`, `1k`. */

const UNITS: Record<string, number> = {
  '': 1,
  k: 1e3,
  m: 1e6,
  g: 1e9,
  t: 1e12,
  p: 1e15,
  ki: 1024,
  mi: 1024 ** 2,
  gi: 1024 ** 3,
  ti: 1024 ** 4,
};

/** The number, or `null` where the text is no positive size. */
export function parseQuantity(text: string): number | null {
  const match = /^\s*([0-9][0-9_,]*(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?|\.[0-9]+)\s*([a-zA-Z]*)\s*$/.exec(text);
  const [, digits, unit] = match ?? [];
  if (digits === undefined || unit === undefined) return null;
  const factor = UNITS[unit.toLowerCase().replace(/b$/, '')];
  if (factor === undefined) return null;
  const value = Number(digits.replace(/[_,]/g, '')) * factor;
  return Number.isFinite(value) && value > 0 ? value : null;
}
