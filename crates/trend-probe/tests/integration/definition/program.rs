//! Random programs: their structure, and how they are drawn.
//!
//! Every object has at least [`SIZE`] bytes, so a place in one object is a place in any. Each piece of code that runs
//! as a whole begins with a mark that the compiler keeps: these are the basic blocks that are counted.

/// Size of an object in bytes.
pub(crate) const SIZE: u64 = 64;
/// Number of pointers to heap blocks in a program.
pub(crate) const SLOTS: usize = 4;
/// Maximum number of calls. Programs that make more are run less deeply.
const MOST_CALLS: u64 = 300;
/// Slot whose block only the first routine allocates, moves and frees.
const MAIN_SLOT: usize = SLOTS - 1;

/// A generator of random numbers (SplitMix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    Global(usize),
    /// A variable of the routine, which others may know.
    Local,
    /// Target of the pointer that the caller passes.
    Argument,
    /// Target of a slot. If that is null, nothing is done.
    Heap(usize),
}

/// Bytes from `offset` on. In the innermost loop, each trip is `stride` bytes further.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) object: Object,
    pub(crate) offset: u64,
    pub(crate) stride: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
    /// First reads, then writes.
    Update,
    /// Reads and writes atomically.
    Atomic,
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Access {
        kind: Kind,
        place: Span,
        size: u64,
        is_aligned: bool,
    },
    Copy {
        from: Span,
        to: Span,
        length: u64,
        is_known: bool,
    },
    Fill {
        to: Span,
        length: u64,
        is_known: bool,
    },
    /// The kernel writes to a place.
    Kernel {
        to: Span,
        length: u64,
    },
    Loop {
        times: u64,
        is_known: bool,
        body: Vec<Statement>,
    },
    /// Calls a routine if the depth is at least this. The callee's depth is less by one.
    Call {
        routine: usize,
        argument: Object,
        depth: u64,
    },
    Allocate {
        slot: usize,
        length: u64,
        is_zeroed: bool,
    },
    Reallocate {
        slot: usize,
        length: u64,
    },
    Free {
        slot: usize,
    },
    Try {
        body: Vec<Statement>,
        handler: Vec<Statement>,
    },
    /// Jumps out of this many tries and one more, if there are so many, at this depth.
    Jump {
        levels: u64,
        depth: u64,
    },
    /// Runs routines as threads, which hand over to each other at batons and ends, and waits for them.
    Threads {
        routines: Vec<usize>,
        argument: Object,
    },
    Baton,
    /// Makes the thread use up its ids, so that the next call renumbers activations. This must not have visible
    /// effects.
    Exhaust,
}

#[derive(Clone, Debug)]
pub(crate) struct Routine {
    pub(crate) has_local: bool,
    pub(crate) body: Vec<Statement>,
}

#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) globals: usize,
    /// Only `main` calls the first one.
    pub(crate) routines: Vec<Routine>,
    pub(crate) depth: u64,
    /// True if accesses are `volatile`. They use pointers about which the compiler knows nothing else.
    pub(crate) is_volatile: bool,
    pub(crate) has_jumps: bool,
    has_threads: bool,
}

impl Program {
    pub(crate) fn random(random: &mut Random) -> Self {
        let has_jumps = random.one_in(2);
        let mut program = Self {
            globals: 1 + random.below(3) as usize,
            routines: Vec::new(),
            depth: 5,
            // The compiler may leave out a read whose value a jump forgets.
            is_volatile: has_jumps || random.one_in(2),
            has_jumps,
            has_threads: random.one_in(2),
        };
        let count = 2 + random.below(4) as usize;
        for routine in 0..count {
            let is_plain = routine > 0 && random.one_in(2);
            let has_local = !is_plain && random.one_in(2);
            let context = Context { program: &program, routine, count, has_local, is_plain };
            let length = 3 + random.below(8) as usize;
            let body = context.block(random, length, &Nesting::default());
            program.routines.push(Routine { has_local, body });
        }
        while program.calls(0, program.depth) > MOST_CALLS {
            program.depth -= 1;
        }
        program
    }

    /// Returns true if a routine is a part of its callers: it has no loop, and calls only parts and functions of the
    /// library. Code that the programs are linked with is unknown.
    pub(crate) fn is_part(&self, routine: usize) -> bool {
        self.is_part_within(routine, &[])
    }

    fn is_part_within(&self, routine: usize, callers: &[usize]) -> bool {
        let Routine { has_local, body } = &self.routines[routine];
        let callers = [callers, &[routine]].concat();
        !has_local
            && body.iter().all(|statement| match statement {
                Statement::Access { .. }
                | Statement::Copy { .. }
                | Statement::Fill { .. }
                | Statement::Free { .. }
                | Statement::Jump { .. } => true,
                Statement::Call { routine, .. } => {
                    !callers.contains(routine) && self.is_part_within(*routine, &callers)
                }
                _ => false,
            })
    }

    /// Returns the maximum number of calls that a call of a routine makes, including itself.
    fn calls(&self, routine: usize, depth: u64) -> u64 {
        1 + self.calls_of(&self.routines[routine].body, depth)
    }

    fn calls_of(&self, body: &[Statement], depth: u64) -> u64 {
        body.iter()
            .map(|statement| match statement {
                Statement::Call { routine, depth: least, .. } if depth >= *least => {
                    self.calls(*routine, depth - 1)
                }
                Statement::Loop { times, body, .. } => times * self.calls_of(body, depth),
                Statement::Try { body, handler } => {
                    self.calls_of(body, depth) + self.calls_of(handler, depth)
                }
                Statement::Threads { routines, .. } => {
                    routines.iter().map(|routine| self.calls(*routine, depth.saturating_sub(1))).sum()
                }
                _ => 0,
            })
            .sum()
    }
}

/// State in which a statement is drawn.
struct Context<'a> {
    program: &'a Program,
    routine: usize,
    count: usize,
    has_local: bool,
    /// True if nothing makes it a separate routine, except its callees.
    is_plain: bool,
}

#[derive(Clone, Copy, Default)]
struct Nesting {
    depth: u64,
    /// Trips of the innermost loop; 0 outside of loops.
    turns: u64,
}

impl Context<'_> {
    fn block(&self, random: &mut Random, length: usize, nesting: &Nesting) -> Vec<Statement> {
        (0..length).map(|_| self.statement(random, nesting)).collect()
    }

    fn statement(&self, random: &mut Random, nesting: &Nesting) -> Statement {
        let is_first = self.routine == 0;
        let deeper = Nesting { depth: nesting.depth + 1, ..*nesting };
        let inner = |random: &mut Random| 1 + random.below(3) as usize;
        loop {
            match random.below(26) {
                0..=8 => return self.access(random, nesting),
                9 => {
                    let length = 1 + random.below(40);
                    let (from, to) = (self.object(random), self.object(random));
                    // A copy into a variable that is never read would be removed.
                    if to == Object::Local || from == to {
                        continue;
                    }
                    let mut place = |object| place(random, object, length, 1, nesting);
                    let (from, to) = (place(from), place(to));
                    return Statement::Copy { from, to, length, is_known: random.one_in(2) };
                }
                10 => {
                    let length = 1 + random.below(40);
                    let object = self.object(random);
                    let to = place(random, object, length, 1, nesting);
                    return Statement::Fill { to, length, is_known: random.one_in(2) };
                }
                11 if !self.is_plain => {
                    let length = 1 + random.below(40);
                    let object = self.object(random);
                    let to = place(random, object, length, 1, nesting);
                    return Statement::Kernel { to, length };
                }
                14..=17 if self.is_plain && self.routine + 1 < self.count => {
                    let further = random.below((self.count - self.routine - 1) as u64) as usize;
                    return Statement::Call {
                        routine: self.routine + 1 + further,
                        argument: self.object(random),
                        depth: 1 + random.below(3),
                    };
                }
                11..=19 | 21 | 23.. if self.is_plain => {}
                12 | 13 if nesting.depth < 2 => {
                    let times = random.below(5);
                    let length = inner(random);
                    let body = self.block(random, length, &Nesting { turns: times.max(1), ..deeper });
                    // A loop that is known to have no trips would be removed.
                    return Statement::Loop { times, is_known: times > 0 && random.one_in(2), body };
                }
                14..=17 if self.count > 1 => {
                    let routine = 1 + random.below(self.count as u64 - 1) as usize;
                    return Statement::Call {
                        routine,
                        argument: self.object(random),
                        depth: 1 + random.below(3),
                    };
                }
                18 => {
                    let slot = self.slot(random);
                    let length = SIZE + random.below(200);
                    return Statement::Allocate { slot, length, is_zeroed: random.one_in(3) };
                }
                19 => {
                    let slot = if self.program.has_threads { MAIN_SLOT } else { self.slot(random) };
                    // A block that another thread may have allocated is not moved.
                    if self.program.has_threads && !is_first {
                        continue;
                    }
                    return Statement::Reallocate { slot, length: SIZE + random.below(200) };
                }
                20 if random.one_in(2) => return Statement::Free { slot: self.slot(random) },
                21 if self.program.has_jumps && nesting.depth < 2 => {
                    let lengths = [inner(random), inner(random)];
                    let [body, handler] = lengths.map(|length| self.block(random, length, &deeper));
                    return Statement::Try { body, handler };
                }
                22 if self.program.has_jumps => {
                    return Statement::Jump { levels: random.below(2), depth: 1 + random.below(3) };
                }
                23 if self.program.has_threads && is_first => {
                    let routine = |random: &mut Random| 1 + random.below(self.count as u64 - 1) as usize;
                    let routines = (0..=random.below(3)).map(|_| routine(random)).collect();
                    return Statement::Threads { routines, argument: self.object(random) };
                }
                24 => return Statement::Exhaust,
                _ if self.program.has_threads && !is_first => return Statement::Baton,
                _ => {}
            }
        }
    }

    fn slot(&self, random: &mut Random) -> usize {
        match self.program.has_threads {
            true if self.routine == 0 => MAIN_SLOT,
            true => random.below(MAIN_SLOT as u64) as usize,
            false => random.below(SLOTS as u64) as usize,
        }
    }

    /// Draws an object that lives at least as long as the callee.
    fn object(&self, random: &mut Random) -> Object {
        match random.below(4) {
            0 if self.has_local => Object::Local,
            1 => Object::Argument,
            _ => Object::Global(random.below(self.program.globals as u64) as usize),
        }
    }

    fn access(&self, random: &mut Random, nesting: &Nesting) -> Statement {
        let object = match random.below(4) {
            0 => Object::Heap(random.below(SLOTS as u64) as usize),
            _ => self.object(random),
        };
        let mut kind = random.pick(&[Kind::Read, Kind::Read, Kind::Read, Kind::Write, Kind::Update]);
        let size = random.pick(&[1, 2, 4, 4, 4, 8, 8, 16]);
        let is_aligned = !random.one_in(4);
        if size < 16 && is_aligned && random.one_in(8) {
            kind = Kind::Atomic;
        }
        let place = place(random, object, size, if is_aligned { size } else { 1 }, nesting);
        Statement::Access { kind, place, size, is_aligned }
    }
}

/// Draws a place of `length` bytes at a multiple of `alignment`.
fn place(random: &mut Random, object: Object, length: u64, alignment: u64, nesting: &Nesting) -> Span {
    let room = SIZE - length;
    let stride = match nesting.turns {
        0 | 1 => 0,
        turns => random.below(room / (turns - 1) / alignment + 1).min(8) * alignment,
    };
    let room = room - stride * nesting.turns.saturating_sub(1);
    // A few places are used often.
    let offset = random.below(room / alignment + 1) * alignment;
    let offset = if random.one_in(3) { offset } else { offset.min(16 / alignment * alignment) };
    Span { object, offset: offset.min(room), stride }
}
