/**
 * Tokenizes code just enough to colour it: comments, strings, numbers and keywords. Each family of languages has one
 * pattern, which takes time in proportion to the text it matches.
 */

type Kind = 'keyword' | 'string' | 'comment' | 'number' | 'directive';

/** A token as `[start, end, kind]`, in code units of the text; ascending, without overlaps. */
type Token = [number, number, Kind];

const BLOCK = String.raw`\/\/.*|\/\*[^]*?(?:\*\/|$(?![^]))`;
const LINE_STRINGS = String.raw`"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?`;
const LONG_STRINGS = '`(?:\\\\[^]|[^`\\\\])*`?';

/** Patterns of a family's comments and strings. */
const FAMILIES = {
  c: [BLOCK, LINE_STRINGS],
  rust: [BLOCK, String.raw`"(?:\\[^]|[^"\\])*"?|'(?:\\[^\n]{1,9}?'|[^\\'\n]{1,2}')|'\w*`],
  script: [BLOCK, `${LINE_STRINGS}|${LONG_STRINGS}`],
  python: ['#.*', String.raw`"""[^]*?(?:"""|$(?![^]))|'''[^]*?(?:'''|$(?![^]))|${LINE_STRINGS}`],
} as const;

const ENDINGS: Record<keyof typeof FAMILIES, string> = {
  c: 'c h cc cpp cxx c++ hh hpp hxx h++ inl ipp m mm cu java kt scala cs swift',
  rust: 'rs',
  script: 'js mjs cjs jsx ts mts cts tsx go',
  python: 'py pyi pyx',
};

/** Keywords of all these languages together: a name is rarely a keyword of another language. */
const KEYWORDS = new Set(
  (
    'abstract and as assert async auto await bool boolean break byte case catch chan char class concept const ' +
    'constexpr continue crate debugger decltype def default defer del delete do double dyn elif else enum except ' +
    'explicit export extends extern fallthrough false False final finally float fn for friend from func function ' +
    'global go goto if impl implements import in inline instanceof int interface is lambda let long loop map match ' +
    'mod move mut mutable namespace new nil None nonlocal noexcept not NULL null nullptr of operator or override ' +
    'package pass private protected pub public raise range register return self Self short signed sizeof static ' +
    'struct super switch synchronized template this throw throws trait true True try type typedef typename typeof ' +
    'undefined union unsafe unsigned use using var virtual void volatile where while with yield ' +
    'f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize size_t ssize_t int8_t int16_t int32_t int64_t ' +
    'uint8_t uint16_t uint32_t uint64_t'
  ).split(' '),
);

/** Returns the tokens of a file's text; empty for an unknown language. */
export function tokens(file: string, text: string): Token[] {
  const ending = /\.([A-Za-z+]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  const families = Object.keys(FAMILIES) as (keyof typeof FAMILIES)[];
  const family = families.find((name) => ENDINGS[name].split(' ').includes(ending));
  if (!family) return [];
  const [comment, string] = FAMILIES[family];
  const parts = [
    `(?<comment>${comment})`,
    `(?<string>${string})`,
    ...(family === 'c' ? [String.raw`(?<directive>^[ \t]*#[ \t]*\w*)`] : []),
    String.raw`(?<number>\b\d[\w.']*(?:(?<=[eE])[+-]\d+)?)`,
    String.raw`(?<keyword>[\p{L}_$][\p{L}\p{N}_$]*)`,
  ];
  const found: Token[] = [];
  for (const match of text.matchAll(new RegExp(parts.join('|'), 'gmu'))) {
    const kind = Object.entries(match.groups ?? {}).find(([, part]) => part !== undefined)?.[0] as Kind;
    if (kind !== 'keyword' || KEYWORDS.has(match[0])) {
      found.push([match.index, match.index + match[0].length, kind]);
    }
  }
  return found;
}

/** Kinds that `source.css` has rules for. */
const KINDS: Kind[] = ['keyword', 'string', 'comment', 'number', 'directive'];

const canPaint = typeof Highlight !== 'undefined' && 'highlights' in CSS;

/** Removes all colours, before another file is shown. */
export function unpaint(): void {
  if (canPaint) for (const kind of KINDS) CSS.highlights.set(`code-${kind}`, new Highlight());
}

/** Colours a line; lines coloured earlier keep their colours. */
export function paint(node: Text, tokens: readonly Token[]): void {
  for (const [from, to, kind] of canPaint ? tokens : []) {
    const end = Math.min(to, node.length);
    if (from >= end) continue;
    const range = { startContainer: node, startOffset: from, endContainer: node, endOffset: end };
    CSS.highlights.get(`code-${kind}`)?.add(new StaticRange(range));
  }
}

/** Returns the tokens of each line, in code units of the line. A token that spans lines is cut at their ends. */
export function tokensByLine(lines: readonly string[], tokens: readonly Token[]): Token[][] {
  const found: Token[][] = lines.map(() => []);
  let [line, start] = [0, 0];
  for (const [from, to, kind] of tokens) {
    while (line < lines.length && from > start + (lines[line]?.length ?? 0))
      start += (lines[line++]?.length ?? 0) + 1;
    let at = start;
    for (let i = line; i < lines.length && at < to; i++) {
      const length = lines[i]?.length ?? 0;
      if (from < at + length) found[i]?.push([Math.max(from - at, 0), Math.min(to - at, length), kind]);
      at += length + 1;
    }
  }
  return found;
}

/** Calls `tell` for each element when it first comes near the viewport. */
export function whenNear(
  root: Element,
  elements: Iterable<Element>,
  tell: (near: Element[]) => void,
): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      const near = entries.filter((e) => e.isIntersecting).map((e) => e.target);
      near.forEach((element) => observer.unobserve(element));
      if (near.length > 0) tell(near);
    },
    { root, rootMargin: '1500px' },
  );
  for (const element of elements) observer.observe(element);
  return () => observer.disconnect();
}
