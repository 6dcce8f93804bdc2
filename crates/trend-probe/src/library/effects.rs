//! Effects of calls without a probe on the program's memory. Each effect names the function of the runtime that records
//! it.

use crate::ir::value::Value;

/// Number of bytes, possibly known only at run time.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Amount {
    Bytes(u64),
    /// This many if the call returns 0, and else none.
    BytesIfZero(u64),
    /// Value of an argument.
    Argument(u32),
    /// Value of an argument if the call returns 0, and else none.
    ArgumentIfZero(u32),
    /// Number of items in an argument, times the size of an item in bytes.
    Items(u32, u64),
    /// Product of two arguments.
    Product(u32, u32),
    /// Lesser of two arguments.
    Lesser(u32, u32),
    /// Result of the call, or 0 if it is negative.
    Result,
    /// Result of the call plus 1.
    ResultAndOne,
    /// Result of the call, a number of items, times the size of an item in an argument.
    ResultTimes(u32),
    /// No limit, so everything up to the end.
    All,
}

/// Effect of a call on the memory that an argument points to. The first number of a variant is the index of that
/// argument. Amounts of wide texts, which consist of `wchar_t`, are in characters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    Reads(u32, Amount),
    /// Reads a text with its terminator, but at most this amount.
    ReadsText(u32, Amount),
    ReadsWide(u32, Amount),
    /// Reads the bytes that a number can consist of.
    ReadsNumber(u32),
    /// Reads two texts up to the first difference, but at most this amount.
    ReadsEqual(u32, u32, Amount),
    /// Reads two texts up to the first difference, ignoring case, but at most this amount.
    ReadsEqualCaseless(u32, u32, Amount),
    ReadsEqualWide(u32, u32, Amount),
    /// Reads up to the result of the call. If the result is null, reads a whole text or this amount.
    ReadsToResult(u32, Amount),
    ReadsWideToResult(u32, Amount),
    /// Reads a text up to the end of the other text that the call has found in it, or the whole text.
    ReadsToMatch(u32, u32),
    /// Reads up to the byte given by another argument, but at most this amount.
    ReadsToByte(u32, u32, Amount),
    /// Takes a token with `strtok` and ends it. If the text is null, the token belongs to the previous text.
    TakesToken(u32),
    /// Takes a token with `strtok_r`. The arguments are the text, the separators, and the location of the position.
    TakesTokenAt(u32, u32, u32),
    /// Takes a token with `strsep`, up to a separator. The argument points to a pointer to the text.
    TakesField(u32, u32),
    Writes(u32, Amount),
    /// Writes up to the result of the call, or this amount if the result is null.
    WritesToResult(u32, Amount),
    WritesText(u32),
    /// Writes a text with its terminator, but at most this amount.
    WritesTextWithin(u32, Amount),
    WritesWide(u32),
    /// Writes the end of a text: another text, or at most this amount of it, and a terminator.
    WritesTail(u32, u32, Amount),
    WritesWideTail(u32, u32),
    /// The kernel writes this amount.
    KernelWrites(u32, Amount),
    /// The kernel writes the number of bytes that the call returns into several buffers. Another argument is the
    /// number of buffers.
    KernelScatters(u32, u32),
    /// The kernel writes the number of bytes that the call returns into the buffers of a `struct msghdr`.
    KernelReceives(u32),
    /// The kernel writes into the buffers of several `struct mmsghdr`. Their number is the result of the call.
    KernelReceivesAll(u32),
    /// The kernel writes into the buffers that wait in the queue of a `struct io_uring`.
    KernelCompletes(u32),
    /// The kernel writes the `struct dirent` that the call returns.
    KernelGivesEntry,
    /// Takes this amount from a stream.
    Streams(Amount),
    /// Takes the text that the call returns from a stream.
    StreamsText,
    /// Maps new memory. The arguments are its length and its flags.
    Maps(u32, u32),
    /// Unmaps memory. The second argument is its length.
    Unmaps(u32, u32),
    /// Shrinks a mapping from the length in one argument to that in another.
    Shrinks(u32, u32, u32),
    /// Moves this amount of a mapping to the result of the call.
    Remaps(u32, Amount),
    /// Grows the mapping that the call returns from the length in one argument to that in another.
    Grows(u32, u32),
    /// Writes this amount to the target of the pointer at the argument.
    WritesBehind(u32, Amount),
    /// Returns a new text.
    GivesText,
    GivesWide,
    /// Returns new memory from `malloc`.
    Allocates(Amount),
    /// Returns new memory from any allocator of the program.
    Gives(Amount),
    /// Moves the contents of a block to new memory, but at most this amount.
    Reallocates(u32, Amount),
}

/// A function of the runtime, with the arguments that follow the frame, the mask and the size of a cell.
pub(crate) struct Call {
    pub(crate) function: &'static str,
    pub(crate) arguments: [Argument; 3],
}

#[derive(Clone, Copy)]
pub(crate) enum Argument {
    /// Pointer in an argument of the program's call.
    Pointer(u32),
    /// Pointer that the program's call returns.
    Result,
    Amount(Amount),
    None,
}

impl Effect {
    /// Returns true if the effect is recorded before the call. If it depends on the result, or on what the call has
    /// written, it is recorded afterwards.
    pub(crate) fn is_before(self) -> bool {
        match self {
            Self::Reads(_, amount) | Self::ReadsText(_, amount) => {
                !matches!(amount, Amount::Result | Amount::ResultAndOne | Amount::ResultTimes(_))
            }
            Self::ReadsNumber(_)
            | Self::ReadsWide(..)
            | Self::ReadsEqual(..)
            | Self::ReadsEqualCaseless(..)
            | Self::ReadsEqualWide(..)
            | Self::ReadsToByte(..)
            | Self::TakesTokenAt(..)
            | Self::TakesField(..)
            // After the call, another thread may have got the memory.
            | Self::Unmaps(..)
            | Self::Shrinks(..)
            | Self::Reallocates(..)
            | Self::KernelCompletes(_) => true,
            Self::ReadsToResult(..)
            | Self::ReadsWideToResult(..)
            | Self::ReadsToMatch(..)
            | Self::TakesToken(_)
            | Self::Writes(..)
            | Self::WritesToResult(..)
            | Self::WritesText(_)
            | Self::WritesTextWithin(..)
            | Self::WritesWide(_)
            | Self::WritesTail(..)
            | Self::WritesWideTail(..)
            | Self::WritesBehind(..)
            | Self::KernelWrites(..)
            | Self::KernelScatters(..)
            | Self::KernelReceives(_)
            | Self::KernelReceivesAll(_)
            | Self::KernelGivesEntry
            | Self::Streams(_)
            | Self::StreamsText
            | Self::Maps(..)
            | Self::Remaps(..)
            | Self::Grows(..)
            | Self::GivesText
            | Self::GivesWide
            | Self::Allocates(_)
            | Self::Gives(_) => false,
        }
    }

    /// Returns the call of the runtime that records the effect.
    pub(crate) fn call(self) -> Call {
        use Amount::{All, Argument as Of};
        use Argument::{Amount as Number, None, Pointer, Result};
        let call = |function, arguments| Call { function, arguments };
        let sized = |function, of, amount| call(function, [Pointer(of), Number(amount), None]);
        match self {
            Self::Reads(of, amount) => sized("read_range", of, amount),
            Self::ReadsText(of, most) => sized("read_text", of, most),
            Self::ReadsWide(of, most) => sized("read_wide", of, most),
            Self::ReadsNumber(of) => sized("read_number", of, All),
            Self::ReadsEqual(a, b, most) => call("read_equal", [Pointer(a), Pointer(b), Number(most)]),
            Self::ReadsEqualCaseless(a, b, most) => {
                call("read_equal_caseless", [Pointer(a), Pointer(b), Number(most)])
            }
            Self::ReadsEqualWide(a, b, most) => {
                call("read_equal_wide", [Pointer(a), Pointer(b), Number(most)])
            }
            Self::ReadsToResult(of, most) => call("read_to", [Pointer(of), Number(most), Result]),
            Self::ReadsWideToResult(of, most) => call("read_to_wide", [Pointer(of), Number(most), Result]),
            Self::ReadsToMatch(of, other) => call("read_match", [Pointer(of), Pointer(other), Result]),
            Self::ReadsToByte(of, byte, most) => {
                call("read_to_byte", [Pointer(of), Number(Of(byte)), Number(most)])
            }
            Self::TakesToken(of) => call("token", [Pointer(of), Result, None]),
            Self::TakesTokenAt(of, separators, place) => {
                call("token_at", [Pointer(of), Pointer(separators), Pointer(place)])
            }
            Self::TakesField(of, separators) => call("field", [Pointer(of), Pointer(separators), None]),
            Self::Writes(of, amount) => sized("write_range", of, amount),
            Self::WritesToResult(of, most) => call("write_to", [Pointer(of), Number(most), Result]),
            Self::WritesText(of) => sized("write_text", of, All),
            Self::WritesTextWithin(of, most) => sized("write_text", of, most),
            Self::WritesWide(of) => sized("write_wide", of, All),
            Self::WritesTail(of, other, most) => {
                call("write_tail", [Pointer(of), Pointer(other), Number(most)])
            }
            Self::WritesWideTail(of, other) => call("write_wide_tail", [Pointer(of), Pointer(other), None]),
            Self::WritesBehind(of, amount) => sized("write_behind", of, amount),
            Self::KernelWrites(of, amount) => sized("kernel_writes", of, amount),
            Self::KernelScatters(of, parts) => {
                call("kernel_scatters", [Pointer(of), Number(Of(parts)), Number(Amount::Result)])
            }
            Self::KernelReceives(of) => sized("kernel_receives", of, Amount::Result),
            Self::KernelReceivesAll(of) => sized("kernel_receives_all", of, Amount::Result),
            Self::KernelCompletes(of) => call("kernel_completes", [Pointer(of), None, None]),
            Self::KernelGivesEntry => call("kernel_gives_entry", [Result, None, None]),
            Self::Streams(amount) => call("streams", [Number(amount), None, None]),
            Self::StreamsText => call("streams_text", [Result, None, None]),
            Self::Maps(length, options) => call("maps", [Result, Number(Of(length)), Number(Of(options))]),
            Self::Unmaps(of, length) => sized("unmaps", of, Of(length)),
            Self::Shrinks(of, old, new) => call("shrinks", [Pointer(of), Number(Of(old)), Number(Of(new))]),
            Self::Remaps(of, length) => call("remaps", [Pointer(of), Result, Number(length)]),
            Self::Grows(old, new) => call("grows", [Result, Number(Of(old)), Number(Of(new))]),
            Self::GivesText => call("write_text", [Result, Number(All), None]),
            Self::GivesWide => call("write_wide", [Result, None, None]),
            Self::Allocates(amount) => call("allocated", [Result, Number(amount), None]),
            Self::Gives(amount) => call("given", [Result, Number(amount), None]),
            Self::Reallocates(of, amount) => sized("reallocates", of, amount),
        }
    }
}

/// Returns true if a call has the arguments that effects need. A program may define another function with the name of a
/// known one.
pub(crate) fn fit(effects: &[Effect], call: Value) -> bool {
    let is =
        |index: u32, is_kind: fn(Value) -> bool| index < call.arguments() && is_kind(call.operand(index));
    let is_number = |index: u32| is(index, |value| value.ty().is_integer());
    effects.iter().flat_map(|effect| effect.call().arguments).all(|argument| match argument {
        Argument::Pointer(index) => is(index, |value| value.ty().is_thin_pointer()),
        Argument::Result => call.ty().is_thin_pointer(),
        Argument::Amount(Amount::Argument(index) | Amount::Items(index, _)) => is_number(index),
        Argument::Amount(Amount::Product(a, b) | Amount::Lesser(a, b)) => is_number(a) && is_number(b),
        Argument::Amount(Amount::Result | Amount::ResultAndOne | Amount::BytesIfZero(_)) => {
            call.ty().is_integer()
        }
        Argument::Amount(Amount::ResultTimes(index) | Amount::ArgumentIfZero(index)) => {
            call.ty().is_integer() && is_number(index)
        }
        Argument::Amount(Amount::All | Amount::Bytes(_)) | Argument::None => true,
    })
}
