/** What the lexer must know of a language: its comments, strings and keywords. Chosen by a file's ending. */

export interface Language {
  lineComments: string[];
  /** Opening and closing; of Rust's they nest. */
  blockComment: [string, string] | null;
  nests: boolean;
  /** Delimiters of strings that may go on over lines, longest first. */
  multiline: string[];
  /** Delimiters of strings that end with their line at the latest. */
  quotes: string[];
  /** Whether `'a` may be a lifetime rather than a character. */
  lifetimes: boolean;
  /** Whether a line that begins with `#` is the preprocessor's. */
  preprocessor: boolean;
  keywords: ReadonlySet<string>;
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

const CURLY: Omit<Language, 'keywords'> = {
  lineComments: ['//'],
  blockComment: ['/*', '*/'],
  nests: false,
  multiline: [],
  quotes: ['"', "'"],
  lifetimes: false,
  preprocessor: false,
};

const C: Language = {
  ...CURLY,
  preprocessor: true,
  keywords: words(
    'alignas alignof auto bool break case catch char class concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else enum explicit extern false float for friend goto if inline int long mutable namespace new noexcept nullptr operator private protected public register reinterpret_cast requires restrict return short signed sizeof static static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while size_t ssize_t int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t NULL _Bool _Static_assert',
  ),
};

const RUST: Language = {
  ...CURLY,
  nests: true,
  multiline: ['"'],
  quotes: ["'"],
  lifetimes: true,
  keywords: words(
    'as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type union unsafe use where while bool char f32 f64 i8 i16 i32 i64 i128 isize str u8 u16 u32 u64 u128 usize String Vec Option Result Box Some None Ok Err',
  ),
};

const PYTHON: Language = {
  lineComments: ['#'],
  blockComment: null,
  nests: false,
  multiline: ['"""', "'''"],
  quotes: ['"', "'"],
  lifetimes: false,
  preprocessor: false,
  keywords: words(
    'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return self try while with yield',
  ),
};

const JAVASCRIPT: Language = {
  ...CURLY,
  multiline: ['`'],
  keywords: words(
    'abstract any as async await boolean break case catch class const continue debugger declare default delete do else enum export extends false finally for from function get if implements import in instanceof interface keyof let namespace never new null number of private protected public readonly return satisfies set static string super switch this throw true try type typeof undefined unknown var void while with yield',
  ),
};

const GO: Language = {
  ...CURLY,
  multiline: ['`'],
  keywords: words(
    'any bool break byte case chan complex64 complex128 const continue default defer else error fallthrough false float32 float64 for func go goto if import int int8 int16 int32 int64 interface iota map nil package range return rune select string struct switch true type uint uint8 uint16 uint32 uint64 uintptr var',
  ),
};

const JAVA: Language = {
  ...CURLY,
  multiline: ['"""'],
  keywords: words(
    'abstract assert boolean break byte case catch char class const continue default do double else enum extends false final finally float for goto if implements import instanceof int interface long native new null package permits private protected public record return sealed short static strictfp super switch synchronized this throw throws transient true try var void volatile while yield',
  ),
};

const BY_ENDING: Record<string, Language> = {};
for (const [endings, language] of [
  ['c h cc cpp cxx c++ hh hpp hxx h++ inl ipp m mm cu', C],
  ['rs', RUST],
  ['py pyi pyx', PYTHON],
  ['js mjs cjs jsx ts mts cts tsx', JAVASCRIPT],
  ['go', GO],
  ['java kt scala cs swift', JAVA],
] as const) {
  for (const ending of endings.split(' ')) BY_ENDING[ending] = language;
}

/** `null` for a language that the page does not know: its files are shown plain. */
export function languageOf(file: string): Language | null {
  const ending = /\.([A-Za-z+]+)$/.exec(file)?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(BY_ENDING, ending) ? (BY_ENDING[ending] ?? null) : null;
}
