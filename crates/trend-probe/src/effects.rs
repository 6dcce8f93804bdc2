//! The effects of calls that are not probed on the program's memory. Each effect names the function of the runtime that records it.

use crate::ir::Value;

/// How many bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Amount {
    Bytes(u64),
    /// So many where the call returns 0.
    BytesIfZero(u64),
    /// As many as an argument says.
    Argument(u32),
    /// As many as an argument says where the call returns 0.
    ArgumentIfZero(u32),
    /// As many items as an argument says, each of so many bytes.
    Items(u32, u64),
    /// As many as two arguments say.
    Product(u32, u32),
    /// As many as the lesser of two arguments.
    Lesser(u32, u32),
    /// As many as the call returns, where that is not negative.
    Result,
    /// And one more.
    ResultAndOne,
    /// As many items as it returns, each of the size that an argument says.
    ResultTimes(u32),
    /// As many as there are.
    All,
}

/// What a call does to the memory that an argument points to. The first number of each is that argument's. Of wide texts, which
/// are those of `wchar_t`, amounts are characters.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    Reads(u32, Amount),
    /// Up to its end, or so many bytes.
    ReadsText(u32, Amount),
    ReadsWide(u32, Amount),
    /// What a number can consist of.
    ReadsNumber(u32),
    /// Two texts up to where they differ, or so many bytes.
    ReadsEqual(u32, u32, Amount),
    /// The same where `A` is no other letter than `a`.
    ReadsEqualCaseless(u32, u32, Amount),
    ReadsEqualWide(u32, u32, Amount),
    /// Up to what the call returns, or all of a text, or so many bytes, where it returns null.
    ReadsToResult(u32, Amount),
    ReadsWideToResult(u32, Amount),
    /// A text to the end of the other one that the call has found in it, or all of it.
    ReadsToMatch(u32, u32),
    /// Up to the byte that another argument names, or so many.
    ReadsToByte(u32, u32, Amount),
    /// What `strtok` takes of a text, or of the one before where there is none, and ends it.
    TakesToken(u32),
    /// What `strtok_r` takes of a text: the text, what separates, and where it keeps its place.
    TakesTokenAt(u32, u32, u32),
    /// What `strsep` takes of the text that a pointer at the argument points to, up to what separates.
    TakesField(u32, u32),
    Writes(u32, Amount),
    /// Up to what the call returns, or so many bytes where it returns null.
    WritesToResult(u32, Amount),
    WritesText(u32),
    /// A text with its end, in so many bytes.
    WritesTextWithin(u32, Amount),
    WritesWide(u32),
    /// The end of a text: as much as there is of another one, or so many bytes of that and an end.
    WritesTail(u32, u32, Amount),
    WritesWideTail(u32, u32),
    /// The kernel writes it.
    KernelWrites(u32, Amount),
    /// The kernel writes what the call returns into buffers, of which another argument says how many there are.
    KernelScatters(u32, u32),
    /// The kernel writes what the call returns into the buffers of a `struct msghdr`.
    KernelReceives(u32),
    /// The kernel writes into the buffers of as many `struct mmsghdr` as the call returns.
    KernelReceivesAll(u32),
    /// The kernel writes into the buffers that wait in the queue of a `struct io_uring`.
    KernelCompletes(u32),
    /// The kernel writes the `struct dirent` that the call returns.
    KernelGivesEntry,
    /// Takes so much from a stream.
    Streams(Amount),
    /// Takes the text that it returns.
    StreamsText,
    /// New memory is mapped, so long, with the options that an argument has.
    Maps(u32, u32),
    /// Memory is unmapped, so long.
    Unmaps(u32, u32),
    /// A mapping that was as long as one argument says loses what is beyond another one.
    Shrinks(u32, u32, u32),
    /// So much of a mapping is where the call returns now.
    Remaps(u32, Amount),
    /// The mapping that the call returns was as long as one argument says, and is as long as another one.
    Grows(u32, u32),
    /// So many bytes of what a pointer at the argument points to.
    WritesBehind(u32, Amount),
    /// A new text is what it returns.
    GivesText,
    GivesWide,
    /// New memory of `malloc` is.
    Allocates(Amount),
    /// New memory is, of whatever allocator the program has.
    Gives(Amount),
    /// And it has the contents of what an argument points to.
    Reallocates(u32, Amount),
}

/// A function of the runtime, with what it is called with behind frame, mask and size of a cell.
pub(crate) struct Call {
    pub(crate) function: &'static str,
    pub(crate) arguments: [Argument; 3],
}

#[derive(Clone, Copy)]
pub(crate) enum Argument {
    /// An argument of the program's call.
    Pointer(u32),
    /// What it returns.
    Result,
    Amount(Amount),
    None,
}

impl Effect {
    /// Whether it is before the call that it can be told. What a call returns, and what it has written, is known after it.
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
            // Afterwards another thread may have got the memory.
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

    /// What is called for it.
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

/// Whether a call has the arguments that effects speak of: a program may have a function of its own by that name.
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
