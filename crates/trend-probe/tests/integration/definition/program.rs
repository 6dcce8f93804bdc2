//! Random programs: what they are, and how they are drawn.
//!
//! Every object has [`SIZE`] bytes at least, so that each place of one is a place of any. Pieces of code that are run as a
//! whole begin with a mark that the compiler keeps: they are the basic blocks that are counted.

/// Bytes of an object.
pub(crate) const SIZE: u64 = 64;
/// Pointers to blocks of the heap that a program has.
pub(crate) const SLOTS: usize = 4;
/// Programs that make more calls are run less deeply.
const MOST_CALLS: u64 = 300;
/// The slot whose block only the first routine allocates, moves and frees.
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

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Object {
    Global(usize),
    /// A variable of the routine, which others may know.
    Local,
    /// What the caller passes a pointer to.
    Argument,
    /// What a slot points to; nothing is done where that is null.
    Heap(usize),
}

/// Bytes from `offset` on, and in the innermost loop `stride` further in each turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) object: Object,
    pub(crate) offset: u64,
    pub(crate) stride: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Read,
    Write,
    /// Reads, then writes.
    Update,
    /// The same at once.
    Atomic,
}

#[derive(Clone, Debug)]
pub(crate) enum Statement {
    Access {
        kind: Kind,
        place: Place,
        size: u64,
        is_aligned: bool,
    },
    Copy {
        from: Place,
        to: Place,
        length: u64,
        is_known: bool,
    },
    Fill {
        to: Place,
        length: u64,
        is_known: bool,
    },
    /// The kernel writes.
    Kernel {
        to: Place,
        length: u64,
    },
    Loop {
        times: u64,
        is_known: bool,
        body: Vec<Statement>,
    },
    /// Calls where the depth is that much at least; the callee's is less by one.
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
    /// Leaves so many tries and one more, at this depth, where there are so many.
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
    /// Makes the thread use up its ids, so that the next call numbers activations anew. Nothing is to be seen of it.
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
    /// The first one is called by `main`, and by nobody else.
    pub(crate) routines: Vec<Routine>,
    pub(crate) depth: u64,
    /// Whether accesses are `volatile`; they are by pointers that the compiler knows nothing of otherwise.
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
            // A read whose value a jump forgets may be left out by the compiler.
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

    /// Whether a routine is none, but a part of its callers: it has no loop, and calls nothing but parts and functions of the
    /// library. What the programs are linked with is not known.
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

    /// How many calls one of a routine makes at most, itself included.
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

/// What is known where a statement is drawn.
struct Context<'a> {
    program: &'a Program,
    routine: usize,
    count: usize,
    has_local: bool,
    /// It has nothing that makes it a routine of its own, unless what it calls has.
    is_plain: bool,
}

#[derive(Clone, Copy, Default)]
struct Nesting {
    depth: u64,
    /// Turns of the innermost loop; 0 outside of any.
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
                    // A copy into a variable that nobody reads is none.
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
                    // A loop that is known not to run is none.
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
                    // What another thread may have allocated is not moved.
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

    /// One that does not end before what is called.
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
        let mut kind = random.of(&[Kind::Read, Kind::Read, Kind::Read, Kind::Write, Kind::Update]);
        let size = random.of(&[1, 2, 4, 4, 4, 8, 8, 16]);
        let is_aligned = !random.one_in(4);
        if size < 16 && is_aligned && random.one_in(8) {
            kind = Kind::Atomic;
        }
        let place = place(random, object, size, if is_aligned { size } else { 1 }, nesting);
        Statement::Access { kind, place, size, is_aligned }
    }
}

/// A place of `length` bytes at a multiple of `alignment`.
fn place(random: &mut Random, object: Object, length: u64, alignment: u64, nesting: &Nesting) -> Place {
    let room = SIZE - length;
    let stride = match nesting.turns {
        0 | 1 => 0,
        turns => random.below(room / (turns - 1) / alignment + 1).min(8) * alignment,
    };
    let room = room - stride * nesting.turns.saturating_sub(1);
    // Few places are used often.
    let offset = random.below(room / alignment + 1) * alignment;
    let offset = if random.one_in(3) { offset } else { offset.min(16 / alignment * alignment) };
    Place { object, offset: offset.min(room), stride }
}
