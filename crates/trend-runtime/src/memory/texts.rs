//! Models of functions without a probe that read and write zero-terminated texts.
//!
//! Wide texts consist of `wchar_t`. The models look at nothing that the modelled function does not look at itself.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use super::model::{models, read, write};
use super::watch;

/// `sizeof(wchar_t)`.
const WIDE: usize = 4;

/// Returns the length of a text in bytes, including its terminator; at most `most`.
unsafe fn text_length(text: usize, most: usize) -> usize {
    let text = text as *const u8;
    // SAFETY: the program passes the text to a function that reads to its end.
    (0..most).find(|at| unsafe { *text.add(*at) } == 0).map_or(most, |end| end + 1)
}

unsafe fn wide(text: usize, at: usize) -> u32 {
    // SAFETY: the caller guarantees it.
    unsafe { (text as *const u32).add(at).read_unaligned() }
}

/// Returns the length of a wide text in bytes, including its terminator; at most the length of `most` characters.
unsafe fn wide_length(text: usize, most: usize) -> usize {
    // SAFETY: the same reason as above.
    WIDE * (0..most).find(|at| unsafe { wide(text, *at) } == 0).map_or(most, |end| end + 1)
}

/// Returns the length of the characters that a number can consist of, including leading blanks, plus one byte: a reader
/// stops there.
unsafe fn number_length(text: usize) -> usize {
    let text = text as *const u8;
    // SAFETY: as above; the search ends at the terminator, which is not part of a number.
    unsafe {
        let blanks = (0..usize::MAX).find(|at| !(*text.add(*at)).is_ascii_whitespace()).unwrap_or(0);
        let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
        let digits = (blanks..usize::MAX).find(|at| !is_part(*text.add(*at))).unwrap_or(blanks);
        digits + 1
    }
}

/// Returns the number of bytes that two texts have in common, plus one for the byte at which they differ or end.
unsafe fn equal_length(a: usize, b: usize, most: usize, is_equal: fn(&u8, &u8) -> bool) -> usize {
    let (a, b) = (a as *const u8, b as *const u8);
    // SAFETY: as above; nothing after the terminator of either text is read.
    unsafe {
        let ends = |at: &usize| {
            let (x, y) = (*a.add(*at), *b.add(*at));
            x == 0 || !is_equal(&x, &y)
        };
        (0..most).find(ends).map_or(most, |last| last + 1)
    }
}

/// Returns the number of bytes, beginning at `start`, that occur in another text. If `is_of` is false, counts bytes
/// that do not occur in it.
unsafe fn span(start: usize, of: usize, is_of: bool) -> usize {
    // SAFETY: the same reason as above.
    unsafe {
        let others = text_length(of, usize::MAX) - 1;
        let others = core::slice::from_raw_parts(of as *const u8, others);
        let goes_on = |byte: u8| byte != 0 && others.contains(&byte) == is_of;
        (0..usize::MAX).find(|at| !goes_on(*((start + at) as *const u8))).unwrap_or(0)
    }
}

/// Position of `strtok`, as far as probed code calls it.
static PLACE: AtomicUsize = AtomicUsize::new(0);
/// Maximum length of the separators before a token. If the token is farther away, code without a probe has moved
/// the position.
const MOST_SEPARATORS: usize = 4096;

models! {
    /// Reads a text with its terminator, but at most `most` bytes.
    trend_probe_4_read_text(frame, shadow, text, most, _none) {
        if text == 0 { 0 } else { read(frame, shadow, text, text_length(text, most)) }
    }

    /// Reads a wide text with its terminator, but at most `most` characters.
    trend_probe_4_read_wide(frame, shadow, text, most, _none) {
        if text == 0 { 0 } else { read(frame, shadow, text, wide_length(text, most)) }
    }

    /// Reads a number.
    trend_probe_4_read_number(frame, shadow, text, _most, _none) {
        if text == 0 { 0 } else { read(frame, shadow, text, number_length(text)) }
    }

    /// Reads two texts up to the first difference, but at most `most` bytes of each.
    trend_probe_4_read_equal(frame, shadow, a, b, most) {
        if a == 0 || b == 0 {
            return 0;
        }
        let length = equal_length(a, b, most, u8::eq);
        read(frame, shadow, a, length) + read(frame, shadow, b, length)
    }

    /// Reads two texts up to the first difference, ignoring case, but at most `most` bytes of each.
    trend_probe_4_read_equal_caseless(frame, shadow, a, b, most) {
        if a == 0 || b == 0 {
            return 0;
        }
        let length = equal_length(a, b, most, u8::eq_ignore_ascii_case);
        read(frame, shadow, a, length) + read(frame, shadow, b, length)
    }

    /// Reads two wide texts up to the first difference, but at most `most` characters of each.
    trend_probe_4_read_equal_wide(frame, shadow, a, b, most) {
        if a == 0 || b == 0 {
            return 0;
        }
        let ends = |at: &usize| wide(a, *at) == 0 || wide(a, *at) != wide(b, *at);
        let length = WIDE * (0..most).find(ends).map_or(most, |last| last + 1);
        read(frame, shadow, a, length) + read(frame, shadow, b, length)
    }

    /// Reads up to the byte at `hit`. If `hit` is null, reads `most` bytes, or a whole text if `most` is the
    /// largest number.
    trend_probe_4_read_to(frame, shadow, at, most, hit) {
        let length = match hit {
            0 if most == usize::MAX => text_length(at, most),
            0 => most,
            hit => (hit + 1).saturating_sub(at),
        };
        read(frame, shadow, at, length)
    }

    /// Reads up to the wide character at `hit`. If `hit` is null, reads `most` characters, or a whole text if
    /// `most` is the largest number.
    trend_probe_4_read_to_wide(frame, shadow, at, most, hit) {
        let length = match hit {
            0 if most == usize::MAX => wide_length(at, most),
            0 => WIDE.saturating_mul(most),
            hit => (hit + WIDE).saturating_sub(at),
        };
        read(frame, shadow, at, length)
    }

    /// Reads a text up to the end of another one that was found in it. If it was not found, reads the whole text.
    trend_probe_4_read_match(frame, shadow, text, other, hit) {
        let length = match hit {
            0 => text_length(text, usize::MAX),
            hit => hit - text + text_length(other, usize::MAX) - 1,
        };
        read(frame, shadow, text, length)
    }

    /// Reads up to the first occurrence of a byte, but at most `most` bytes.
    trend_probe_4_read_to_byte(frame, shadow, at, byte, most) {
        let is_it = |offset: &usize| *((at + offset) as *const u8) == byte as u8;
        read(frame, shadow, at, (0..most).find(is_it).map_or(most, |last| last + 1))
    }

    /// Takes a token of a text, or of the previous text if `text` is null. `token` is the token, or null.
    trend_probe_4_token(frame, shadow, text, token, _none) {
        let place = if text == 0 { PLACE.load(Relaxed) } else { text };
        if token == 0 {
            PLACE.store(0, Relaxed);
            return if text == 0 { 0 } else { read(frame, shadow, text, text_length(text, usize::MAX)) };
        }
        let is_there = (place..=place.saturating_add(MOST_SEPARATORS)).contains(&token);
        let end = token + text_length(token, usize::MAX);
        PLACE.store(end, Relaxed);
        let start = if is_there { place } else { token };
        let new = read(frame, shadow, start, end - start);
        write(frame, shadow, end - 1, 1);
        new
    }

    /// Takes the next token of a text, or of the text at `place` if `text` is null. `place` keeps the position after
    /// the token.
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

    /// Takes the text at `place` up to a separator, and stores the position after it there.
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

    /// Writes a text with its terminator, but at most `most` bytes.
    trend_probe_4_write_text(frame, shadow, text, most, _none) {
        if text != 0 {
            write(frame, shadow, text, text_length(text, most));
        }
        0
    }

    /// Writes a wide text with its terminator.
    trend_probe_4_write_wide(frame, shadow, text, _none, _other) {
        if text != 0 {
            write(frame, shadow, text, wide_length(text, usize::MAX));
        }
        0
    }

    /// Writes up to the byte before `hit`, or `most` bytes if `hit` is null.
    trend_probe_4_write_to(frame, shadow, at, most, hit) {
        write(frame, shadow, at, if hit == 0 { most } else { hit - at });
        0
    }

    /// Writes the end of a text: at most `most` bytes of another text, and a terminator.
    trend_probe_4_write_tail(frame, shadow, text, other, most) {
        if text != 0 && other != 0 {
            let is_end = |at: &usize| *((other + at) as *const u8) == 0;
            let added = (0..most).find(is_end).unwrap_or(most) + 1;
            let length = text_length(text, usize::MAX);
            write(frame, shadow, text + length.saturating_sub(added), added.min(length));
        }
        0
    }

    /// Writes the end of a wide text, which is another text.
    trend_probe_4_write_wide_tail(frame, shadow, text, other, _none) {
        if text != 0 && other != 0 {
            let (length, added) = (wide_length(text, usize::MAX), wide_length(other, usize::MAX));
            write(frame, shadow, text + length.saturating_sub(added), added.min(length));
        }
        0
    }

    /// Writes `bytes` bytes, or a text with its terminator, unless the conversion is missing.
    trend_probe_4_write_scanned(frame, shadow, at, bytes, is_missing) {
        if at != 0 && is_missing == 0 {
            write(frame, shadow, at, if bytes == usize::MAX { text_length(at, bytes) } else { bytes });
        }
        0
    }

    /// Takes a text without its terminator from a stream.
    trend_probe_4_streams_text(frame, shadow, text, _none, _other) {
        if text == 0 { 0 } else { watch::streamed(frame, shadow, text_length(text, usize::MAX) - 1) }
    }
}
