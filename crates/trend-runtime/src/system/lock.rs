//! A lock for the rare cases of the runtime.

use core::cell::UnsafeCell;
use core::ops::{Deref, DerefMut};
use core::sync::atomic::{AtomicU32, Ordering};

use super::{block_signals, give_way, restore_signals};

/// A value that only one thread at a time may access. Signals wait as well, since their handlers may be probed.
///
/// The lock is before the value and aligned, so that a forked process copies as few pages as possible.
#[repr(C, align(1024))]
pub(crate) struct Lock<T> {
    held: AtomicU32,
    value: UnsafeCell<T>,
}

// SAFETY: the value is only reached while the lock is held.
unsafe impl<T> Sync for Lock<T> {}

pub(crate) struct Guard<'a, T> {
    lock: &'a Lock<T>,
    /// Signals to restore. `None` if an enclosing lock restores them.
    signals: Option<[u64; 16]>,
}

impl<T> Lock<T> {
    pub(crate) const fn new(value: T) -> Self {
        Self { held: AtomicU32::new(0), value: UnsafeCell::new(value) }
    }

    pub(crate) fn lock(&self) -> Guard<'_, T> {
        let signals = block_signals();
        self.hold();
        Guard { lock: self, signals: Some(signals) }
    }

    /// Takes the lock while another one is held. That one already blocks signals.
    pub(crate) fn lock_within<U>(&self, _other: &Guard<'_, U>) -> Guard<'_, T> {
        self.hold();
        Guard { lock: self, signals: None }
    }

    /// Takes the lock until [`Self::release`]. The caller handles signals.
    pub(crate) fn hold(&self) {
        while self.held.compare_exchange_weak(0, 1, Ordering::Acquire, Ordering::Relaxed).is_err() {
            give_way();
        }
    }

    pub(crate) fn release(&self) {
        self.held.store(0, Ordering::Release);
    }

    /// Returns the locked value.
    ///
    /// # Safety
    /// The caller must hold the lock, and have no other reference to the value.
    #[allow(clippy::mut_from_ref)]
    pub(crate) unsafe fn value(&self) -> &mut T {
        // SAFETY: the lock is held.
        unsafe { &mut *self.value.get() }
    }
}

impl<T> Deref for Guard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the lock is held.
        unsafe { &*self.lock.value.get() }
    }
}

impl<T> DerefMut for Guard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the lock is held.
        unsafe { &mut *self.lock.value.get() }
    }
}

impl<T> Drop for Guard<'_, T> {
    fn drop(&mut self) {
        self.lock.release();
        if let Some(signals) = &self.signals {
            restore_signals(signals);
        }
    }
}
