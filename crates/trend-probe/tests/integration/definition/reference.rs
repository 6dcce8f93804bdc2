//! Interprets programs by the definition: every access is done on sets of cells, for each running activation
//! separately.
//!
//! - RMS counts the cells whose first access by the activation or its callees is a read.
//! - DRMS also counts reads of cells that another thread or the kernel wrote after the thread's last access to them.
//! - A routine that is called while it runs in a thread stays in its context. Otherwise, its context is the context of
//!   its caller, followed by the caller.
//! - The reads and costs of a part count for the running activation. If no activation is running, the part is a
//!   routine.
//! - `malloc` and similar functions write the memory that they return.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Condvar, Mutex};
use std::thread;

use trend_profile::{Observation, ObservationParts, OwnCosts, OwnInput};

use super::program::{Kind, Object, Program, SIZE, SLOTS, Span, Statement};

/// Observations by RMS and by DRMS, for each routine and calling context. The context is empty for all contexts
/// together.
pub(crate) type Expected = BTreeMap<(String, String), [Vec<Observation>; 2]>;
/// Position in the program's buffers that a jump goes to.
type Target = u64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Writer {
    Thread(usize),
    Kernel,
}

/// State that all threads share.
struct World<'a> {
    /// Addresses of objects, in order of their creation.
    addresses: &'a mut (dyn Iterator<Item = u64> + Send),
    cell_shift: u32,
    is_dynamic: bool,
    time: u64,
    writes: HashMap<u64, (Writer, u64)>,
    expected: Expected,
    slots: [Option<Block>; SLOTS],
    threads: usize,
    /// Seat of the thread whose turn it is, among those that run together.
    turn: usize,
    runs: Vec<bool>,
}

#[derive(Clone, Copy)]
struct Block {
    address: u64,
    length: u64,
}

struct Thread {
    number: usize,
    /// Time of the thread's last access to each cell.
    accesses: HashMap<u64, u64>,
    activations: Vec<Activation>,
}

#[derive(Default)]
struct Activation {
    name: String,
    /// Names of callers, the outermost first.
    callers: Vec<String>,
    accessed: HashSet<u64>,
    rms: u64,
    drms: u64,
    from_threads: u64,
    from_kernel: u64,
    own_from_threads: u64,
    own_from_kernel: u64,
    own: u64,
    inclusive: u64,
}

impl Thread {
    /// Enters an activation and runs its first block.
    fn enter(&mut self, name: String) {
        let running = self.activations.iter().find(|running| running.name == name);
        let callers = match (running, self.activations.last()) {
            (Some(running), _) => running.callers.clone(),
            (None, Some(caller)) => [&*caller.callers, std::slice::from_ref(&caller.name)].concat(),
            (None, None) => Vec::new(),
        };
        self.activations.push(Activation { name, callers, own: 1, ..Activation::default() });
    }
}

impl World<'_> {
    fn cells(&self, address: u64, length: u64) -> std::ops::RangeInclusive<u64> {
        address >> self.cell_shift..=(address + length - 1) >> self.cell_shift
    }

    fn read(&mut self, thread: &mut Thread, address: u64, length: u64) {
        for cell in self.cells(address, length) {
            self.time += 1;
            let last = thread.accesses.insert(cell, self.time).unwrap_or(0);
            let induced = self
                .writes
                .get(&cell)
                .filter(|(writer, time)| *writer != Writer::Thread(thread.number) && *time > last);
            for activation in &mut thread.activations {
                let is_first = activation.accessed.insert(cell);
                activation.rms += u64::from(is_first);
                activation.drms += u64::from(is_first || induced.is_some());
                match induced {
                    Some((Writer::Kernel, _)) => activation.from_kernel += 1,
                    Some(_) => activation.from_threads += 1,
                    None => {}
                }
            }
            let reading = thread.activations.last_mut().expect("a routine runs");
            match induced {
                Some((Writer::Kernel, _)) => reading.own_from_kernel += 1,
                Some(_) => reading.own_from_threads += 1,
                None => {}
            }
        }
    }

    fn write(&mut self, thread: &mut Thread, address: u64, length: u64) {
        for cell in self.cells(address, length) {
            self.time += 1;
            thread.accesses.insert(cell, self.time);
            self.writes.insert(cell, (Writer::Thread(thread.number), self.time));
            for activation in &mut thread.activations {
                activation.accessed.insert(cell);
            }
        }
    }

    fn kernel_writes(&mut self, address: u64, length: u64) {
        for cell in self.cells(address, length) {
            self.time += 1;
            self.writes.insert(cell, (Writer::Kernel, self.time));
        }
    }

    fn object(&mut self) -> u64 {
        self.addresses.next().expect("the program has as many objects as the reference")
    }

    fn leave(&mut self, thread: &mut Thread) {
        let mut ended = thread.activations.pop().expect("it was entered");
        ended.inclusive += ended.own;
        if let Some(caller) = thread.activations.last_mut() {
            caller.inclusive += ended.inclusive;
        }
        let is_outermost = thread.activations.iter().all(|running| running.name != ended.name);
        let cost = ended.inclusive;
        // RMS does not count cells again that others wrote.
        let observation = |size, is_dynamic: bool| Observation {
            count: 1,
            min: cost,
            max: cost,
            sum: cost,
            sum_of_squares: (cost * cost) as f64,
            parts: ObservationParts {
                outermost: Some(if is_outermost { cost } else { 0 }),
                own: Some(ended.own),
                from_kernel: is_dynamic.then_some(ended.from_kernel),
                from_threads: is_dynamic.then_some(ended.from_threads),
                own_costs: Some(OwnCosts {
                    min: ended.own,
                    max: ended.own,
                    sum_of_squares: (ended.own * ended.own) as f64,
                }),
                own_input: is_dynamic.then_some(OwnInput {
                    from_kernel: ended.own_from_kernel,
                    from_threads: ended.own_from_threads,
                }),
            },
            ..Observation::at(size)
        };
        let context =
            if ended.callers.is_empty() { "(no caller)".to_owned() } else { ended.callers.join(" → ") };
        for context in [String::new(), context] {
            let [by_rms, by_drms] = self.expected.entry((ended.name.clone(), context)).or_default();
            by_rms.push(observation(ended.rms, false));
            if self.is_dynamic {
                by_drms.push(observation(ended.drms, true));
            }
        }
    }

    fn begin_thread(&mut self) -> Thread {
        self.threads += 1;
        Thread { number: self.threads, accesses: HashMap::new(), activations: Vec::new() }
    }
}

/// Returns the observations of `main` and the routines that it calls.
pub(crate) fn expected(
    programs: &[Program],
    addresses: &mut (dyn Iterator<Item = u64> + Send),
    cell_shift: u32,
    is_dynamic: bool,
) -> Expected {
    let mut world = World {
        addresses,
        cell_shift,
        is_dynamic,
        time: 0,
        writes: HashMap::new(),
        expected: Expected::new(),
        slots: [None; SLOTS],
        threads: 0,
        turn: 0,
        runs: Vec::new(),
    };
    let mut main = world.begin_thread();
    main.enter("main".to_owned());
    let world = Mutex::new(world);
    for (number, program) in programs.iter().enumerate() {
        let (globals, slots) = {
            let mut world = world.lock().unwrap();
            world.slots = [None; SLOTS];
            let globals: Vec<u64> = (0..program.globals).map(|_| world.object()).collect();
            (globals, world.object())
        };
        let run = Interpreter { program, number, globals, slots, world: &world, handed: Condvar::new() };
        let is_left = run.routine(&mut main, None, 0, program.depth as i64, 0, run.globals[0]).is_err();
        assert!(!is_left, "no jump leaves a thread");
    }
    let mut world = world.into_inner().unwrap();
    world.leave(&mut main);
    assert!(world.addresses.next().is_none(), "the reference has as many objects as the program");
    for by_variable in world.expected.values_mut() {
        by_variable.iter_mut().for_each(Observation::merge);
    }
    world.expected
}

/// A program that is being run.
struct Interpreter<'a, 'b> {
    program: &'a Program,
    number: usize,
    globals: Vec<u64>,
    slots: u64,
    world: &'a Mutex<World<'b>>,
    handed: Condvar,
}

/// State of a routine's code.
#[derive(Clone, Copy)]
struct Scope {
    depth: i64,
    tries: u64,
    argument: u64,
    local: u64,
    /// Index among the threads that run together; `None` for the main thread.
    seat: Option<usize>,
    /// Trip of the innermost loop.
    turn: u64,
}

impl Interpreter<'_, '_> {
    fn routine(
        &self,
        thread: &mut Thread,
        seat: Option<usize>,
        routine: usize,
        depth: i64,
        tries: u64,
        argument: u64,
    ) -> Result<(), Target> {
        let mut scope = Scope { depth, tries, argument, local: 0, seat, turn: 0 };
        let is_part = !thread.activations.is_empty() && self.program.is_part(routine);
        if is_part {
            pay(thread, 1);
        } else {
            let mut world = self.world.lock().unwrap();
            thread.enter(format!("p{}_f{routine}", self.number));
            if self.program.routines[routine].has_local {
                scope.local = world.object();
                world.write(thread, scope.local, SIZE);
            }
        }
        let end = self.block(thread, scope, &self.program.routines[routine].body);
        if !is_part {
            self.world.lock().unwrap().leave(thread);
        }
        end
    }

    fn block(&self, thread: &mut Thread, scope: Scope, body: &[Statement]) -> Result<(), Target> {
        body.iter().try_for_each(|statement| self.statement(thread, scope, statement))
    }

    fn statement(&self, thread: &mut Thread, scope: Scope, statement: &Statement) -> Result<(), Target> {
        // Other threads do not run before this one hands over.
        let mut world = self.world.lock().unwrap();
        match statement {
            Statement::Access { kind, place, size, .. } => {
                let address = match place.object {
                    Object::Heap(slot) => self.slot(&mut world, thread, slot).map(|block| block.address),
                    object => Some(self.address(scope, object)),
                };
                if let Some(base) = address {
                    let at = base + place.offset + scope.turn * place.stride;
                    if *kind != Kind::Write {
                        world.read(thread, at, *size);
                    }
                    if *kind != Kind::Read {
                        world.write(thread, at, *size);
                    }
                }
                if let Object::Heap(_) = place.object {
                    pay(thread, 1 + u64::from(address.is_some()));
                }
            }
            Statement::Copy { from, to, length, .. } => {
                world.read(thread, self.at(scope, from), *length);
                world.write(thread, self.at(scope, to), *length);
            }
            Statement::Fill { to, length, .. } => world.write(thread, self.at(scope, to), *length),
            Statement::Kernel { to, length } => world.kernel_writes(self.at(scope, to), *length),
            Statement::Loop { times, body, .. } => {
                drop(world);
                for turn in 0..*times {
                    // The header and the body.
                    pay(thread, 2);
                    self.block(thread, Scope { turn, ..scope }, body)?;
                }
                // The header, and the block that follows.
                pay(thread, 2);
            }
            Statement::Call { routine, argument, depth } => {
                drop(world);
                if scope.depth >= *depth as i64 {
                    pay(thread, 1);
                    let argument = self.address(scope, *argument);
                    self.routine(thread, scope.seat, *routine, scope.depth - 1, scope.tries, argument)?;
                }
                pay(thread, 1);
            }
            Statement::Allocate { slot, length, .. } => {
                if self.slot(&mut world, thread, *slot).is_none() {
                    pay(thread, 1);
                    self.give(&mut world, thread, *slot, *length);
                }
                pay(thread, 1);
            }
            Statement::Reallocate { slot, length } => {
                if let Some(block) = self.slot(&mut world, thread, *slot) {
                    pay(thread, 1);
                    world.read(thread, block.address, block.length.min(*length));
                    self.give(&mut world, thread, *slot, *length);
                }
                pay(thread, 1);
            }
            Statement::Free { slot } => {
                if self.slot(&mut world, thread, *slot).is_some() {
                    pay(thread, 1);
                    world.slots[*slot] = None;
                    world.write(thread, self.slots + 8 * *slot as u64, 8);
                }
                pay(thread, 1);
            }
            Statement::Try { body, handler } => {
                drop(world);
                pay(thread, 1);
                match self.block(thread, Scope { tries: scope.tries + 1, ..scope }, body) {
                    Err(target) if target == scope.tries => {
                        pay(thread, 1);
                        self.block(thread, scope, handler)?;
                    }
                    end => end?,
                }
                pay(thread, 1);
            }
            Statement::Jump { levels, depth } => {
                pay(thread, 1);
                if scope.depth == *depth as i64 && scope.tries > *levels {
                    return Err(scope.tries - 1 - levels);
                }
            }
            Statement::Threads { routines, argument } => {
                (world.turn, world.runs) = (0, vec![true; routines.len()]);
                let mut others: Vec<Thread> = routines.iter().map(|_| world.begin_thread()).collect();
                drop(world);
                let argument = self.address(scope, *argument);
                thread::scope(|all| {
                    for ((seat, routine), thread) in routines.iter().enumerate().zip(&mut others) {
                        all.spawn(move || {
                            self.wait(seat);
                            let depth = scope.depth - 1;
                            let end = self.routine(thread, Some(seat), *routine, depth, 0, argument);
                            assert!(end.is_ok(), "no jump leaves a thread");
                            self.world.lock().unwrap().runs[seat] = false;
                            self.hand_over(seat);
                        });
                    }
                });
            }
            Statement::Exhaust => {}
            Statement::Baton => {
                drop(world);
                if let Some(seat) = scope.seat {
                    self.hand_over(seat);
                    self.wait(seat);
                }
            }
        }
        Ok(())
    }

    fn address(&self, scope: Scope, object: Object) -> u64 {
        match object {
            Object::Global(number) => self.globals[number],
            Object::Local => scope.local,
            Object::Argument => scope.argument,
            Object::Heap(_) => unreachable!("a slot has to be read"),
        }
    }

    fn at(&self, scope: Scope, place: &Span) -> u64 {
        self.address(scope, place.object) + place.offset + scope.turn * place.stride
    }

    /// Reads the pointer in a slot.
    fn slot(&self, world: &mut World<'_>, thread: &mut Thread, slot: usize) -> Option<Block> {
        world.read(thread, self.slots + 8 * slot as u64, 8);
        world.slots[slot]
    }

    /// Allocates the block of a slot.
    fn give(&self, world: &mut World<'_>, thread: &mut Thread, slot: usize, length: u64) {
        let address = world.object();
        world.slots[slot] = Some(Block { address, length });
        world.write(thread, address, length);
        world.write(thread, self.slots + 8 * slot as u64, 8);
    }

    fn wait(&self, seat: usize) {
        let world = self.world.lock().unwrap();
        drop(self.handed.wait_while(world, |world| world.turn != seat).unwrap());
    }

    fn hand_over(&self, seat: usize) {
        let mut world = self.world.lock().unwrap();
        let count = world.runs.len();
        if let Some(next) = (1..=count).map(|step| (seat + step) % count).find(|next| world.runs[*next]) {
            world.turn = next;
        }
        self.handed.notify_all();
    }
}

/// Adds blocks to the running activation's own cost.
fn pay(thread: &mut Thread, blocks: u64) {
    thread.activations.last_mut().expect("a routine runs").own += blocks;
}
