/**
 * Guess functions as people type them: `n^1.5`, `n log n`, `2n + 30`, `n² / log2(n)`. A parser by recursive descent
 * over numbers, `n` (or `x`), `+ - * / ^ ( )`, `log` and `ln` (natural), `log2`, `log10`, `sqrt`; nothing is ever
 * evaluated as a program.
 *
 *   sum     = product (('+' | '-') product)*
 *   product = unary (('*' | '/')? unary)*        what stands side by side is multiplied: `n log n`
 *   unary   = '-' unary | power
 *   power   = atom ('^' unary)?                  from the right: n^2^3 = n^(2^3), and -n^2 = -(n^2)
 *   atom    = number | 'n' | '(' sum ')' | function power
 */

export type Guess = (n: number) => number;

/** Guesses of the menus, as text that the parser reads. */
export const GUESSES = ['1', 'log n', 'n', 'n log n', 'n^1.5', 'n^2', 'n^3'];

export type Parsed = { guess: Guess; error: null } | { guess: null; error: string };

const FUNCTIONS: Record<string, (v: number) => number> = {
  log: Math.log,
  ln: Math.log,
  log2: Math.log2,
  log10: Math.log10,
  sqrt: Math.sqrt,
};

const SUPERSCRIPTS = '⁰¹²³⁴⁵⁶⁷⁸⁹';

/** Longer ones are no guesses, and would nest too deeply. */
const LONGEST = 200;

class Wrong extends Error {}

/** What a guess may be made of, for whoever typed something else. */
export const ALLOWED = 'numbers, n, + − * / ^ ( ), log, ln, log2, log10, sqrt';

/** A name that nobody knows is told what there is; a sign in the wrong place is known, but not there. */
function unexpected(word: string): Wrong {
  const isKnown = /^(?:[nx\d.()+\-*/^]|log|ln|sqrt)/.test(word);
  return new Wrong(
    isKnown ? `unexpected ${word}` : `${word.slice(0, 20)} is not understood; allowed: ${ALLOWED}`,
  );
}

export function parseGuess(text: string): Parsed {
  if (text.length > LONGEST) return { guess: null, error: 'too long' };
  try {
    const reader = new Reader(tokens(text));
    const guess = reader.sum();
    reader.end();
    return { guess, error: null };
  } catch (error) {
    if (error instanceof Wrong) return { guess: null, error: error.message };
    throw error;
  }
}

function tokens(text: string): string[] {
  const plain = text
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (s) => `^${Array.from(s, (c) => SUPERSCRIPTS.indexOf(c)).join('')}`)
    .replace(/[·×⋅]/g, '*')
    .replace(/[−–]/g, '-')
    .replace(/√/g, 'sqrt')
    .toLowerCase();
  const found =
    plain.match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?|log10|log2|log|ln|sqrt|[nx]|\p{L}+|\S/gu) ??
    [];
  if (found.length === 0) throw new Wrong('empty');
  return found;
}

class Reader {
  private next = 0;

  constructor(private readonly words: string[]) {}

  end(): void {
    const word = this.words[this.next];
    if (word !== undefined) throw unexpected(word);
  }

  sum(): Guess {
    let left = this.product();
    for (;;) {
      const before = left;
      if (this.take('+')) {
        const right = this.product();
        left = (n) => before(n) + right(n);
      } else if (this.take('-')) {
        const right = this.product();
        left = (n) => before(n) - right(n);
      } else return left;
    }
  }

  private product(): Guess {
    let left = this.unary();
    for (;;) {
      const before = left;
      if (this.take('/')) {
        const right = this.unary();
        left = (n) => before(n) / right(n);
      } else if (this.take('*') || this.startsAtom()) {
        const right = this.unary();
        left = (n) => before(n) * right(n);
      } else return left;
    }
  }

  private unary(): Guess {
    if (!this.take('-')) return this.power();
    const inner = this.unary();
    return (n) => -inner(n);
  }

  private power(): Guess {
    const base = this.atom();
    if (!this.take('^')) return base;
    const exponent = this.unary();
    return (n) => base(n) ** exponent(n);
  }

  private atom(): Guess {
    const word = this.words[this.next++];
    if (word === undefined) throw new Wrong('something is missing at the end');
    if (word === 'n' || word === 'x') return (n) => n;
    if (/^[\d.]/.test(word)) {
      const value = Number(word);
      if (!Number.isFinite(value)) throw new Wrong(`${word} is no number`);
      return () => value;
    }
    if (word === '(') {
      const inner = this.sum();
      if (!this.take(')')) throw new Wrong('a ) is missing');
      return inner;
    }
    const known = Object.hasOwn(FUNCTIONS, word) ? FUNCTIONS[word] : undefined;
    if (!known) throw unexpected(word);
    // log(n)^2 is the square of the logarithm, log n^2 the logarithm of the square.
    const inner = this.words[this.next] === '(' ? this.atom() : this.power();
    return (n) => known(inner(n));
  }

  private startsAtom(): boolean {
    const word = this.words[this.next];
    return word !== undefined && /^[\d.(nxls]/.test(word);
  }

  private take(word: string): boolean {
    if (this.words[this.next] !== word) return false;
    this.next++;
    return true;
  }
}
