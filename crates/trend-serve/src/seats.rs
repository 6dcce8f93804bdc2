//! Who is connected, and who has to go where there are too many: nobody who asks something waits for those who do not.
//!
//! A connection that waits for its client (for a request, or for an answer to be taken) goes first, the one that has
//! waited longest; where all are being answered, the one whose question is the oldest. A question that was just asked is
//! answered long before as many others have come.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::task::AbortHandle;

/// Connections at a time. A browser opens six for a page.
const MOST: usize = 64;

/// The connections that there are.
#[derive(Default)]
pub(crate) struct Seats(Mutex<Taken>);

#[derive(Default)]
struct Taken {
    seats: BTreeMap<u64, Taker>,
    /// Counts what happens, in place of a clock.
    now: u64,
}

/// Who has a seat.
struct Taker {
    is_answered: bool,
    /// When that began.
    since: u64,
    /// Ends the connection.
    task: Option<AbortHandle>,
}

/// A connection's seat, until it is dropped.
pub(crate) struct Seat {
    seats: Arc<Seats>,
    number: u64,
}

impl Seats {
    /// A seat for another connection, which costs another one its own where there is none left.
    pub(crate) fn take(self: &Arc<Self>) -> Seat {
        let mut taken = self.taken();
        if taken.seats.len() >= MOST {
            let longest = taken.seats.iter().min_by_key(|(_, taker)| (taker.is_answered, taker.since));
            if let Some(number) = longest.map(|(number, _)| *number)
                && let Some(task) = taken.seats.remove(&number).and_then(|taker| taker.task)
            {
                task.abort();
            }
        }
        let number = taken.tick();
        taken.seats.insert(number, Taker { is_answered: false, since: number, task: None });
        Seat { seats: Arc::clone(self), number }
    }

    /// Says what ends the connection of a seat.
    pub(crate) fn ends(&self, number: u64, task: AbortHandle) {
        match self.taken().seats.get_mut(&number) {
            Some(taker) => taker.task = Some(task),
            None => task.abort(),
        }
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Taken {
    fn tick(&mut self) -> u64 {
        self.now += 1;
        self.now
    }
}

impl Seat {
    pub(crate) fn number(&self) -> u64 {
        self.number
    }

    /// A question came, or an answer is ready to be taken.
    pub(crate) fn is_answered(&self, is_answered: bool) {
        let mut taken = self.seats.taken();
        let since = taken.tick();
        if let Some(taker) = taken.seats.get_mut(&self.number) {
            (taker.is_answered, taker.since) = (is_answered, since);
        }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.seats.taken().seats.remove(&self.number);
    }
}
