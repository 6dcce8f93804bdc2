//! Finds the places of a source text at which executions can begin to differ.
//!
//! ```text
//!   for (const x of xs) { if (x > 0 && f(x)) g(x); else continue; h(x) }
//!                         ^           ^      ^          ^         ^
//! ```
//!
//! V8 joins ranges that ran equally often, so the ranges of two runs differ. The places depend on the text alone, and
//! the count of each follows from the ranges around it. A place too many repeats the count of its neighbour; a
//! misunderstood text never gives a wrong count.

use super::tokens::{Kind, Token, Tokens};

/// A place: its first token, and the lines that begin in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct CountedPlace {
    /// Offset in UTF-16 code units.
    pub(super) offset: u32,
    pub(super) line: u32,
    /// Column in UTF-16 code units, 1-based.
    pub(super) column: u32,
    /// Lines of the place, ascending and never empty.
    pub(super) lines: Vec<u32>,
    /// Line of its first regular expression.
    pub(super) regex: Option<u32>,
}

/// A class, from its `class` to its `}`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Class {
    pub(super) name: String,
    pub(super) begin: u32,
    pub(super) end: u32,
}

/// Places and classes of a text, by position.
#[derive(Clone, Debug, Default)]
pub(super) struct Outline {
    pub(super) places: Vec<CountedPlace>,
    pub(super) classes: Vec<Class>,
}

/// An open part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Top,
    /// `(…)` of `if`, `for` and `while`.
    Header,
    Parentheses,
    Brackets,
    Block,
    Function,
    Switch,
    Object,
    Class(usize),
    /// `${…}`
    Template,
    /// A body without braces.
    Statement,
    /// From the `?` to the `:` of a condition.
    Then,
    /// From the `:` of a condition, `=>`, `&&`, `||` or `??` to the end of the operand.
    Operand,
    /// A function body that is an expression.
    Arrow,
}

impl Part {
    /// Returns true if the part has no closing bracket.
    fn is_open_ended(self) -> bool {
        matches!(self, Self::Statement | Self::Then | Self::Operand | Self::Arrow)
    }

    fn has_statements(self) -> bool {
        matches!(self, Self::Top | Self::Block | Self::Function | Self::Switch | Self::Statement)
    }

    fn is_function(self) -> bool {
        matches!(self, Self::Function | Self::Arrow | Self::Class(_))
    }
}

#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
struct Frame {
    part: Part,
    /// Place to return to at the end.
    outer: usize,
    /// True if a jump in the part may leave code after it unexecuted.
    jumps: bool,
    /// True if a `break` or `continue` in the part may do so. Its effect ends at the loop.
    breaks: bool,
    /// True if the current statement may stop for good in an `await` or `yield`.
    suspends: bool,
    /// True if a jump lies before the next statement.
    has_jumped: bool,
    /// True for the header and the body of a loop.
    is_loop: bool,
    /// True for the header and the body of `for (let …; …)`.
    is_let: bool,
    /// True if a function is in the part.
    has_function: bool,
}

impl Frame {
    fn new(part: Part, outer: usize) -> Self {
        Self {
            part,
            outer,
            jumps: false,
            breaks: false,
            suspends: false,
            has_jumped: false,
            is_loop: false,
            is_let: false,
            has_function: false,
        }
    }

    /// Returns true if V8 miscounts what follows: each iteration of `for (let …; …)` has its own variables if a
    /// function in its body may keep them, and V8 counts the end of each iteration as the end of the loop.
    fn is_miscounted(self) -> bool {
        self.is_let && self.is_loop && self.has_function
    }
}

/// Meaning of the token before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// An operator, or nothing.
    Operator,
    /// The end of an expression.
    Value,
    /// The end of a statement, or the beginning of a block.
    Statement,
    /// `)` of `if`, `for` and `while`.
    Header,
    /// `)` of anything else.
    Parenthesis,
    Arrow,
    /// A keyword after which an expression begins.
    Keyword,
    /// `else`, `do`, `try`, `finally`, `catch` or `static`.
    Body,
    /// `:` that is not part of a condition.
    Colon,
}

const BEFORE_EXPRESSION: [&str; 16] = [
    "return",
    "throw",
    "case",
    "typeof",
    "void",
    "delete",
    "new",
    "in",
    "of",
    "instanceof",
    "yield",
    "await",
    "extends",
    "default",
    "import",
    "export",
];
const BEFORE_BODY: [&str; 6] = ["else", "do", "try", "finally", "catch", "static"];
const JUMPS: [&str; 6] = ["return", "throw", "break", "continue", "yield", "await"];

/// Finds the places of a text. The first one is the beginning.
///
/// - Time and memory: O(length).
pub(super) fn outline(text: &str) -> Outline {
    Finder::new(text).run()
}

struct Finder<'a> {
    tokens: Tokens<'a>,
    outline: Outline,
    frames: Vec<Frame>,
    current: usize,
    before: Before,
    /// The token before, if it is a word.
    word: &'a str,
    /// True if the next token begins a place.
    is_new: bool,
    last_line: u32,
    /// The class whose body comes next.
    class: Option<usize>,
    /// True if a `{` begins the body of a function with an annotated result: `f(): T {`.
    has_result_type: bool,
    /// The part that begins at the next `(` or at the `{` after its `)`.
    header: Option<Part>,
}

impl<'a> Finder<'a> {
    fn new(text: &'a str) -> Self {
        let top = Frame::new(Part::Top, 0);
        let first = CountedPlace { offset: 0, line: 1, column: 1, lines: vec![1], regex: None };
        Self {
            tokens: Tokens::new(text),
            outline: Outline { places: vec![first], classes: Vec::new() },
            frames: vec![top],
            current: 0,
            before: Before::Statement,
            word: "",
            is_new: false,
            last_line: 0,
            class: None,
            has_result_type: false,
            header: None,
        }
    }

    fn run(mut self) -> Outline {
        while let Some(token) = self.tokens.next(self.divides()) {
            let is_first = token.line > self.last_line;
            if is_first && self.ends_statement(&token) {
                self.end_statement();
            }
            self.begin_place(&token);
            if is_first {
                self.own_line(token.line);
            }
            self.last_line = token.line;
            match token.kind {
                Kind::Word => self.word(&token),
                Kind::Literal => self.literal(&token),
                Kind::Sign => self.sign(&token),
            }
        }
        self.outline
    }

    /// Returns true if a `/` divides here.
    fn divides(&self) -> bool {
        matches!(self.before, Before::Value | Before::Parenthesis)
    }

    fn top(&mut self) -> &mut Frame {
        if self.frames.is_empty() {
            self.frames.push(Frame::new(Part::Top, 0));
        }
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn part(&self) -> Part {
        self.frames.last().map_or(Part::Top, |frame| frame.part)
    }

    fn push(&mut self, part: Part) {
        self.frames.push(Frame::new(part, self.current));
    }

    /// Closes the innermost part. A jump in it concerns what follows, unless it is a function.
    fn pop(&mut self) {
        if self.frames.len() < 2 {
            return;
        }
        let Some(frame) = self.frames.pop() else { return };
        self.current = frame.outer;
        self.is_new = false;
        let is_function = frame.part.is_function();
        let top = self.top();
        top.has_function |= is_function || frame.has_function;
        if is_function {
            return;
        }
        let is_statement = frame.part.has_statements();
        let breaks = frame.breaks && !frame.is_loop;
        top.jumps |= frame.jumps;
        top.breaks |= breaks;
        top.has_jumped |= is_statement && (frame.jumps || breaks) && !frame.is_miscounted();
        top.suspends |= !is_statement && frame.suspends;
    }

    fn pop_open_ended(&mut self) {
        while self.part().is_open_ended() {
            self.pop();
        }
    }

    /// Closes operands that end before a `,`, `;` or closing bracket, up to a body without braces.
    fn pop_operands(&mut self) {
        while self.part().is_open_ended() && self.part() != Part::Statement {
            self.pop();
        }
    }

    /// Returns true if a line break before this token ends the statement before it.
    fn ends_statement(&self, token: &Token<'_>) -> bool {
        let is_over = matches!(self.before, Before::Value | Before::Parenthesis);
        let continues = ["in", "of", "instanceof", "as", "else"].contains(&token.text);
        let begins =
            token.kind == Kind::Word && !continues || token.text == "{" && self.part().has_statements();
        is_over && begins && !self.is_new
    }

    fn end_statement(&mut self) {
        self.pop_open_ended();
        if self.part().has_statements() {
            let top = self.top();
            top.has_jumped |= std::mem::take(&mut top.suspends);
            self.before = Before::Statement;
            self.has_result_type = false;
        }
    }

    /// Begins a place at this token if one is due.
    fn begin_place(&mut self, token: &Token<'_>) {
        let is_end = ["}", ")", "]", ";", ",", ":"].contains(&token.text);
        let continues = ["else", "catch", "finally", "while", "default", "{"].contains(&token.text);
        if self.is_new && token.text == "{" && matches!(self.part(), Part::Statement | Part::Arrow) {
            return;
        }
        let is_at_statement = self.before == Before::Statement && self.part().has_statements();
        let after_jump = is_at_statement && self.top().has_jumped && !continues;
        if is_end || !(self.is_new || after_jump || token.text == "case" && self.part() == Part::Switch) {
            return;
        }
        self.top().has_jumped = false;
        self.is_new = false;
        if self.outline.places.last().is_some_and(|last| last.offset == token.offset) {
            return;
        }
        let Token { offset, line, column, .. } = *token;
        self.outline.places.push(CountedPlace { offset, line, column, lines: vec![line], regex: None });
        self.current = self.outline.places.len() - 1;
    }

    fn own_line(&mut self, line: u32) {
        if let Some(place) = self.outline.places.get_mut(self.current)
            && place.lines.last().is_none_or(|last| *last < line)
        {
            place.lines.push(line);
        }
    }

    fn word(&mut self, token: &Token<'a>) {
        let is_name = self.word == "." || matches!(self.part(), Part::Object | Part::Class(_));
        let word = token.text;
        if !is_name && JUMPS.contains(&word) {
            let is_break = matches!(word, "break" | "continue");
            let top = self.top();
            top.jumps |= !is_break;
            top.breaks |= is_break;
            top.suspends |= matches!(word, "yield" | "await");
        }
        if !is_name {
            match word {
                "if" | "for" | "while" | "with" => self.header = Some(Part::Header),
                "switch" => self.header = Some(Part::Switch),
                "catch" => self.header = Some(Part::Block),
                "class" => {
                    let name = String::new();
                    self.outline.classes.push(Class { name, begin: token.offset, end: u32::MAX });
                    self.class = Some(self.outline.classes.len() - 1);
                }
                "default" if self.part() == Part::Switch => self.is_new = true,
                _ => {}
            }
        }
        if self.word == "class"
            && word != "extends"
            && let Some(class) = self.class
        {
            word.clone_into(&mut self.outline.classes[class].name);
        }
        if !is_name && matches!(word, "else" | "do") {
            self.push(Part::Statement);
            self.top().is_loop = word == "do";
            self.is_new = true;
        }
        if self.part() == Part::Header && matches!(word, "let" | "of" | "in") {
            self.top().is_let = word == "let";
        }
        self.before = match word {
            "static" => Before::Body,
            _ if is_name => Before::Value,
            _ if BEFORE_EXPRESSION.contains(&word) => Before::Keyword,
            _ if BEFORE_BODY.contains(&word) => Before::Body,
            _ => Before::Value,
        };
        self.word = word;
    }

    fn literal(&mut self, token: &Token<'a>) {
        self.word = "";
        if token.text.starts_with('/')
            && let Some(place) = self.outline.places.get_mut(self.current)
        {
            place.regex.get_or_insert(token.line);
        }
        if token.text.starts_with('`') && token.text.ends_with("${") {
            self.push(Part::Template);
            self.before = Before::Operator;
        } else {
            self.before = Before::Value;
        }
    }

    fn sign(&mut self, token: &Token<'a>) {
        let word = std::mem::take(&mut self.word);
        match token.text {
            "(" => {
                let is_header =
                    self.header.is_some() && matches!(word, "if" | "for" | "while" | "with" | "await");
                self.push(if is_header { Part::Header } else { Part::Parentheses });
                self.top().is_loop = is_header && matches!(word, "for" | "while" | "await");
                if is_header {
                    self.header = None;
                }
                self.before = Before::Operator;
            }
            ")" => self.close_parenthesis(),
            "[" => {
                self.push(Part::Brackets);
                self.before = Before::Operator;
            }
            "]" => {
                self.pop_open_ended();
                if self.part() == Part::Brackets {
                    self.pop();
                }
                self.before = Before::Value;
            }
            "{" => self.open_brace(),
            "}" => self.close_brace(token),
            ";" => {
                self.end_statement();
                self.before = Before::Statement;
                self.header = None;
                self.is_new = false;
            }
            "," => {
                self.pop_operands();
                self.before = Before::Operator;
            }
            "=>" => {
                self.push(Part::Arrow);
                (self.is_new, self.has_result_type) = (true, false);
                self.before = Before::Arrow;
            }
            "&&" | "||" | "??" | "&&=" | "||=" | "??=" => {
                while self.part() == Part::Operand {
                    self.pop();
                }
                self.operand(Part::Operand);
            }
            "?" => {
                while self.part() == Part::Operand {
                    self.pop();
                }
                self.operand(Part::Then);
            }
            ":" => self.colon(),
            "." | "?." => {
                self.word = ".";
                self.before = Before::Operator;
            }
            "++" | "--" if self.divides() => self.before = Before::Value,
            _ => self.before = Before::Operator,
        }
    }

    fn operand(&mut self, part: Part) {
        self.push(part);
        self.is_new = true;
        self.before = Before::Operator;
    }

    fn colon(&mut self) {
        while matches!(self.part(), Part::Operand | Part::Arrow) {
            self.pop();
        }
        // `x?: T` has nothing between the two.
        let is_optional = self.is_new;
        if self.part() == Part::Then {
            self.pop();
            if !is_optional {
                return self.operand(Part::Operand);
            }
        }
        self.has_result_type |= self.before == Before::Parenthesis && self.part() != Part::Switch;
        self.before = Before::Colon;
    }

    fn close_parenthesis(&mut self) {
        self.pop_open_ended();
        let part = self.part();
        if !matches!(part, Part::Header | Part::Parentheses) {
            self.before = Before::Parenthesis;
            return;
        }
        let (is_loop, is_let) = (self.top().is_loop, self.top().is_let);
        self.pop();
        self.before = if part == Part::Header { Before::Header } else { Before::Parenthesis };
        if part == Part::Header {
            self.push(Part::Statement);
            let top = self.top();
            (top.is_loop, top.is_let) = (is_loop, is_let);
            self.is_new = true;
        }
    }

    fn open_brace(&mut self) {
        let part = match self.before {
            _ if self.class.is_some() => Part::Class(self.class.take().unwrap_or_default()),
            Before::Parenthesis => self.header.unwrap_or(Part::Function),
            Before::Arrow => Part::Function,
            Before::Header | Before::Body | Before::Statement => Part::Block,
            Before::Colon if self.part().has_statements() && !self.has_result_type => Part::Block,
            Before::Value if self.has_result_type => Part::Function,
            _ => Part::Object,
        };
        if part != Part::Object {
            self.has_result_type = false;
        }
        self.header = None;
        self.push(part);
        self.is_new = matches!(part, Part::Block | Part::Function);
        self.before =
            if matches!(part, Part::Object | Part::Class(_)) { Before::Operator } else { Before::Statement };
    }

    fn close_brace(&mut self, token: &Token<'_>) {
        self.pop_open_ended();
        let part = self.part();
        match part {
            Part::Template => {
                self.pop();
                let is_open = self.tokens.resume_template();
                if is_open {
                    self.push(Part::Template);
                }
                self.before = if is_open { Before::Operator } else { Before::Value };
                return;
            }
            Part::Class(class) => self.outline.classes[class].end = token.offset,
            Part::Block | Part::Function | Part::Switch | Part::Object => {}
            // A bracket without its partner.
            _ => return,
        }
        self.pop();
        let is_expression = part == Part::Object || part == Part::Function && self.part() == Part::Arrow;
        while matches!(part, Part::Block | Part::Switch) && self.part() == Part::Statement {
            self.pop();
        }
        if part == Part::Function && self.part() == Part::Arrow {
            self.pop();
        }
        self.before = if is_expression { Before::Value } else { Before::Statement };
    }
}
