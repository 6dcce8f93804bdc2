//! Writes of `scanf` and similar functions: each conversion of the format writes to one argument.

/// Memory that is written through an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Output {
    /// Number of bytes; `None` for a text with its terminator.
    pub(crate) bytes: Option<u64>,
    /// Minimum result of the call, the number of conversions, for which the argument is written.
    pub(crate) needed: u64,
}

/// Returns the output of each argument after the format. Returns `None` if the format allocates, numbers its arguments,
/// or is not known.
pub(crate) fn outputs(format: &str) -> Option<Vec<Output>> {
    let mut outputs = Vec::new();
    let mut done = 0;
    let mut rest = format;
    while let Some((_, conversion)) = rest.split_once('%') {
        if let Some(behind) = conversion.strip_prefix('%') {
            rest = behind;
            continue;
        }
        let behind = conversion.trim_start_matches('*');
        let is_kept = behind.len() == conversion.len();
        let digits = behind.len() - behind.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (width, behind) = behind.split_at(digits);
        let length =
            ["hh", "h", "ll", "l", "q", "L", "j", "z", "t"].into_iter().find(|l| behind.starts_with(l));
        let length = length.unwrap_or_default();
        let behind = &behind[length.len()..];
        let kind = behind.chars().next()?;
        rest = &behind[kind.len_utf8()..];
        let bytes = match (kind, length) {
            ('d' | 'i' | 'u' | 'o' | 'x' | 'X' | 'n' | 'a' | 'e' | 'f' | 'g' | 'E' | 'G', "") => Some(4),
            ('d' | 'i' | 'u' | 'o' | 'x' | 'X' | 'n', "hh") => Some(1),
            ('d' | 'i' | 'u' | 'o' | 'x' | 'X' | 'n', "h") => Some(2),
            ('d' | 'i' | 'u' | 'o' | 'x' | 'X' | 'n', _)
            | ('a' | 'e' | 'f' | 'g' | 'E' | 'G', "l")
            | ('p', "") => Some(8),
            // A `long double` has the processor's 80 bits.
            ('a' | 'e' | 'f' | 'g' | 'E' | 'G', "L") => Some(10),
            ('c', "") => Some(width.parse().unwrap_or(1)),
            ('s', "") => None,
            ('[', "") => {
                let set = rest.strip_prefix('^').unwrap_or(rest);
                // A bracket that comes first belongs to the set.
                let set = set.strip_prefix(']').unwrap_or(set);
                rest = set.split_once(']')?.1;
                None
            }
            _ => return None,
        };
        if is_kept {
            let is_counted = kind != 'n';
            outputs.push(Output { bytes, needed: done + u64::from(is_counted) });
            done += u64::from(is_counted);
        }
    }
    Some(outputs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_conversion_writes_what_its_length_says() {
        let of =
            |format| outputs(format).map(|all| all.iter().map(|o| (o.bytes, o.needed)).collect::<Vec<_>>());
        assert_eq!(of("no conversion, 5%%"), Some(vec![]));
        assert_eq!(
            of("%d %hhu%hd %ld%5lld"),
            Some(vec![(Some(4), 1), (Some(1), 2), (Some(2), 3), (Some(8), 4), (Some(8), 5)])
        );
        assert_eq!(of("%f %lf %Lg %p"), Some(vec![(Some(4), 1), (Some(8), 2), (Some(10), 3), (Some(8), 4)]));
        assert_eq!(
            of("%*d %s %*[^,],%[]a] x %3c%c"),
            Some(vec![(None, 1), (None, 2), (Some(3), 3), (Some(1), 4)])
        );
        assert_eq!(of("%d%n%d"), Some(vec![(Some(4), 1), (Some(4), 1), (Some(4), 2)]));
        for format in ["%ms", "%1$d", "%ls", "%", "%[abc", "%5", "%y"] {
            assert_eq!(of(format), None, "{format}");
        }
    }
}
