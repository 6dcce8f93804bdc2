//! What functions that are not probed read and write of texts, which end with a zero.
//!
//! Wide ones consist of `wchar_t`. Nothing is looked at here that the modelled function does not look at itself.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crate::model::{models, read, write};
use crate::watch;

/// `sizeof(wchar_t)`.
const WIDE: usize = 4;

/// Bytes of a text with its end, or of its first `most` ones.
unsafe fn text_length(text: usize, most: usize) -> usize {
    let text = text as *const u8;
    // SAFETY: the program passes the text to a function that reads to its end.
    (0..most).find(|at| unsafe { *text.add(*at) } == 0).map_or(most, |end| end + 1)
}

unsafe fn wide(text: usize, at: usize) -> u32 {
    // SAFETY: as the caller says.
    unsafe { (text as *const u32).add(at).read_unaligned() }
}

/// Bytes of a wide text with its end, or of its first `most` characters.
unsafe fn wide_length(text: usize, most: usize) -> usize {
    // SAFETY: as above.
    WIDE * (0..most).find(|at| unsafe { wide(text, *at) } == 0).map_or(most, |end| end + 1)
}

/// Of what a number can consist, blanks before it included, and one byte more: whoever reads it stops there.
unsafe fn number_length(text: usize) -> usize {
    let text = text as *const u8;
    // SAFETY: as above; nothing behind the end of the text is a part of a number.
    unsafe {
        let blanks = (0..usize::MAX).find(|at| !(*text.add(*at)).is_ascii_whitespace()).unwrap_or(0);
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let digits = (blanks..usize::MAX).find(|at| !is_part(*text.add(*at))).unwrap_or(blanks);
        digits + 1
    }
}

/// How many bytes two texts have in common, and the one in which they differ or end.
unsafe fn equal_length(a: usize, b: usize, most: usize, is_equal: fn(&u8, &u8) -> bool) -> usize {
    let (a, b) = (a as *const u8, b as *const u8);
    // SAFETY: as above; nothing behind the end of either is looked at.
    unsafe {
        let ends = |at: &usize| {
            let (x, y) = (*a.add(*at), *b.add(*at));
            x == 0 || !is_equal(&x, &y)
        };
        (0..most).find(ends).map_or(most, |last| last + 1)
    }
}

/// How many bytes from `start` on are of those of another text, or are not.
unsafe fn span(start: usize, of: usize, is_of: bool) -> usize {
    // SAFETY: as above.
    unsafe {
        let others = text_length(of, usize::MAX) - 1;
        let others = core::slice::from_raw_parts(of as *const u8, others);
        let goes_on = |byte: u8| byte != 0 && others.contains(&byte) == is_of;
        (0..usize::MAX).find(|at| !goes_on(*((start + at) as *const u8))).unwrap_or(0)
    }
}

/// Where `strtok` has its place, as far as it is called by what is probed.
static PLACE: AtomicUsize = AtomicUsize::new(0);
/// What separates tokens is not longer than this. Another function may have moved the place meanwhile.
const MOST_SEPARATORS: usize = 4096;

models! {
    /// Reads a text with its end, or `most` bytes of it.
    trend_probe_4_read_text(frame, shadow, text, most, _none) {
        if text == 0 { 0 } else { read(frame, shadow, text, text_length(text, most)) }
    }

    /// The same of a wide text, and `most` characters.
    trend_probe_4_read_wide(frame, shadow, text, most, _none) {
        if text == 0 { 0 } else { read(frame, shadow, text, wide_length(text, most)) }
    }

    /// Reads a number.
    trend_probe_4_read_number(frame, shadow, text, _most, _none) {
        if text == 0 { 0 } else { read(frame, shadow, text, number_length(text)) }
    }

    /// Reads two texts up to where they differ, or `most` bytes of them.
    trend_probe_4_read_equal(frame, shadow, a, b, most) {
        if a == 0 || b == 0 {
            return 0;
        }
        let length = equal_length(a, b, most, u8::eq);
        read(frame, shadow, a, length) + read(frame, shadow, b, length)
    }

    /// The same where letters of both cases are equal.
    trend_probe_4_read_equal_caseless(frame, shadow, a, b, most) {
        if a == 0 || b == 0 {
            return 0;
        }
        let length = equal_length(a, b, most, u8::eq_ignore_ascii_case);
        read(frame, shadow, a, length) + read(frame, shadow, b, length)
    }

    /// The same of wide texts, and `most` characters.
    trend_probe_4_read_equal_wide(frame, shadow, a, b, most) {
        if a == 0 || b == 0 {
            return 0;
        }
        let ends = |at: &usize| wide(a, *at) == 0 || wide(a, *at) != wide(b, *at);
        let length = WIDE * (0..most).find(ends).map_or(most, |last| last + 1);
        read(frame, shadow, a, length) + read(frame, shadow, b, length)
    }

    /// Reads up to the byte at `found`, or `most` bytes where it is null, or a text where `most` says that it ends.
    trend_probe_4_read_to(frame, shadow, at, most, found) {
        let length = match found {
            0 if most == usize::MAX => text_length(at, most),
            0 => most,
            found => (found + 1).saturating_sub(at),
        };
        read(frame, shadow, at, length)
    }

    /// The same of wide characters.
    trend_probe_4_read_to_wide(frame, shadow, at, most, found) {
        let length = match found {
            0 if most == usize::MAX => wide_length(at, most),
            0 => WIDE.saturating_mul(most),
            found => (found + WIDE).saturating_sub(at),
        };
        read(frame, shadow, at, length)
    }

    /// Reads a text up to the end of another one that was found in it, or all of it where it was not.
    trend_probe_4_read_match(frame, shadow, text, other, found) {
        let length = match found {
            0 => text_length(text, usize::MAX),
            found => found - text + text_length(other, usize::MAX) - 1,
        };
        read(frame, shadow, text, length)
    }

    /// Reads up to a byte, or `most` bytes.
    trend_probe_4_read_to_byte(frame, shadow, at, byte, most) {
        let is_it = |offset: &usize| *((at + offset) as *const u8) == byte as u8;
        read(frame, shadow, at, (0..most).find(is_it).map_or(most, |last| last + 1))
    }

    /// Takes a token of a text, or of the one before where there is none; the token was found, or null.
    trend_probe_4_token(frame, shadow, text, found, _none) {
        let place = if text == 0 { PLACE.load(Relaxed) } else { text };
        if found == 0 {
            PLACE.store(0, Relaxed);
            return if text == 0 { 0 } else { read(frame, shadow, text, text_length(text, usize::MAX)) };
        }
        let is_there = (place..=place.saturating_add(MOST_SEPARATORS)).contains(&found);
        let end = found + text_length(found, usize::MAX);
        PLACE.store(end, Relaxed);
        let start = if is_there { place } else { found };
        let new = read(frame, shadow, start, end - start);
        write(frame, shadow, end - 1, 1);
        new
    }

    /// Takes the next token of a text, or of the one at `place`, where the place behind it is kept.
    trend_probe_4_token_at(frame, shadow, text, separators, place) {
        let (mut new, mut start) = (0, text);
        if text == 0 && place != 0 {
            new += read(frame, shadow, place, size_of::<usize>());
            start = *(place as *const usize);
        }
        if start == 0 || separators == 0 {
            return new;
        }
        let token = start + span(start, separators, true);
        let end = token + span(token, separators, false);
        new += read(frame, shadow, start, end + 1 - start);
        if *(end as *const u8) != 0 {
            write(frame, shadow, end, 1);
        }
        write(frame, shadow, place, size_of::<usize>());
        new
    }

    /// Takes the text at `place` up to what separates, and leaves the place behind it there.
    trend_probe_4_field(frame, shadow, place, separators, _none) {
        if place == 0 || separators == 0 {
            return 0;
        }
        let mut new = read(frame, shadow, place, size_of::<usize>());
        let start = *(place as *const usize);
        if start != 0 {
            let end = start + span(start, separators, false);
            new += read(frame, shadow, start, end + 1 - start);
            if *(end as *const u8) != 0 {
                write(frame, shadow, end, 1);
            }
            write(frame, shadow, place, size_of::<usize>());
        }
        new
    }

    /// Writes a text with its end, in `most` bytes.
    trend_probe_4_write_text(frame, shadow, text, most, _none) {
        if text != 0 {
            write(frame, shadow, text, text_length(text, most));
        }
        0
    }

    /// Writes a wide text with its end.
    trend_probe_4_write_wide(frame, shadow, text, _none, _other) {
        if text != 0 {
            write(frame, shadow, text, wide_length(text, usize::MAX));
        }
        0
    }

    /// Writes up to the byte in front of `found`, or `most` bytes where it is null.
    trend_probe_4_write_to(frame, shadow, at, most, found) {
        write(frame, shadow, at, if found == 0 { most } else { found - at });
        0
    }

    /// Writes the end of a text: another text of `most` bytes, and a zero.
    trend_probe_4_write_tail(frame, shadow, text, other, most) {
        if text != 0 && other != 0 {
            let is_end = |at: &usize| *((other + at) as *const u8) == 0;
            let added = (0..most).find(is_end).unwrap_or(most) + 1;
            let length = text_length(text, usize::MAX);
            write(frame, shadow, text + length.saturating_sub(added), added.min(length));
        }
        0
    }

    /// Writes the end of a wide text, which is another one.
    trend_probe_4_write_wide_tail(frame, shadow, text, other, _none) {
        if text != 0 && other != 0 {
            let (length, added) = (wide_length(text, usize::MAX), wide_length(other, usize::MAX));
            write(frame, shadow, text + length.saturating_sub(added), added.min(length));
        }
        0
    }

    /// Writes `bytes`, or a text with its end, unless the conversion was not done.
    trend_probe_4_write_scanned(frame, shadow, at, bytes, is_missing) {
        if at != 0 && is_missing == 0 {
            write(frame, shadow, at, if bytes == usize::MAX { text_length(at, bytes) } else { bytes });
        }
        0
    }

    /// Takes a text without its end from a stream.
    trend_probe_4_streams_text(frame, shadow, text, _none, _other) {
        if text == 0 { 0 } else { watch::streamed(frame, shadow, text_length(text, usize::MAX) - 1) }
    }
}
