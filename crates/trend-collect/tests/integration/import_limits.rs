//! Tests the limits of an import with hostile files: gzip bombs, millions of small records, endless lines and names,
//! and records that cause quadratic work.

use std::io::Write as _;
use std::rc::Rc;
use std::time::{Duration, Instant};

use trend_collect::import::{Budget, ImportError, Imported, Input, Limits, Root, lcov};

use crate::import_readers::{READERS, reader};
use crate::memory::within;

/// Small limits; the ratio of memory to kept bytes is that of real files.
const LIMITS: Limits = Limits { unpacked: 6 << 20, document: 1 << 20, kept: 2 << 20 };
/// Maximum bytes of memory per byte that may be kept. A part is charged together with its later data, and a document is
/// in memory along with its parsed form.
const PER_KEPT_BYTE: usize = 6;

fn read(format: &str, input: Input<'_>) -> Result<Imported, ImportError> {
    (reader(format).read)(input)
}

fn packed(text: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Returns the hostile text, repeated to at least `size` bytes.
fn text([first, repeated, last]: [&str; 3], size: usize) -> Vec<u8> {
    let mut text = first.to_owned();
    let mut number = 0_u32;
    while text.len() < size {
        number += 1;
        text.push_str(&repeated.replace('@', &number.to_string()));
    }
    text.push_str(last);
    text.into_bytes()
}

#[test]
fn no_file_takes_more_memory_than_it_may_or_more_time_than_its_length() {
    let cases = READERS.iter().flat_map(|reader| reader.hostile.iter().map(move |&parts| (reader, parts)));
    for (reader, parts) in cases {
        for is_packed in [true, false] {
            // The packed files unpack to more than the limit.
            let text = text(parts, if is_packed { 7 << 20 } else { 1 << 19 });
            let bytes = if is_packed { packed(&text) } else { text };
            let shown = format!("{} {parts:?}, packed: {is_packed}", reader.name);
            eprintln!("{shown}");
            let budget = Rc::new(Budget::new(LIMITS));
            let begin = Instant::now();
            let read = within(LIMITS.kept as usize, PER_KEPT_BYTE, || {
                Input::new(bytes.as_slice(), &budget).and_then(reader.read)
            });
            assert!(begin.elapsed() < Duration::from_secs(20), "{shown}: {:?}", begin.elapsed());
            if is_packed {
                assert!(read.is_err(), "{shown}");
            }
        }
    }
}

#[test]
fn what_is_too_much_is_named_with_its_limit() {
    let error = |format: &str, text: &str, limits: Limits| {
        let budget = Rc::new(Budget::new(limits));
        let bytes = packed(text.as_bytes());
        Input::new(bytes.as_slice(), &budget).and_then(|input| read(format, input)).unwrap_err().to_string()
    };
    let begins = |error: &str, with: &str| assert!(error.starts_with(with), "{error}");
    let lines: Vec<String> = (0..100_000).map(|i| format!("DA:{i},1\n")).collect();
    let file = format!("SF:a.c\n{}end_of_record\n", lines.concat());
    let unpacked = error("lcov", &file, Limits { unpacked: 1 << 20, kept: 1 << 30, ..LIMITS });
    begins(&unpacked, "the file unpacks to more than 1 MiB");
    begins(&error("lcov", &file, LIMITS), "the file takes more than 2 MiB of memory");
    let long = format!("SF:{}\n", "a".repeat(2 << 20));
    begins(&error("lcov", &long, LIMITS), "line 1 is longer than 1 MiB");
    let name = format!("{{\"files\":[{{\"file\":\"{}\"}}]}}", "a".repeat(2 << 20));
    begins(
        &error("gcov", &name, Limits { unpacked: 1 << 20, ..LIMITS }),
        "the file unpacks to more than 1 MiB",
    );
    let wide = "1,".repeat(17 << 20);
    let limits = Limits { unpacked: 1 << 30, kept: 1 << 30, ..LIMITS };
    begins(&error("csv", &wide, limits), "line 1 is longer than 32 MiB");
}

#[test]
fn the_files_of_an_import_are_measured_together() {
    let file = packed("SF:a.c\nDA:1,1\nend_of_record\n".repeat(20_000).as_bytes());
    let budget = Rc::new(Budget::new(Limits { unpacked: 1 << 20, ..LIMITS }));
    let import = || read("lcov", Input::new(file.as_slice(), &budget).unwrap());
    assert!(import().is_ok());
    assert!(matches!(import(), Err(ImportError::TooMuchUnpacked { .. })));
}

#[test]
fn a_million_places_are_kept_in_a_few_times_the_length_of_their_file() {
    // Files as tools write them: a thousand lines and some functions each.
    let file = |file: u32| {
        let functions = (0..50).map(|f| format!("FN:{},file{file}_function{f}\n", f * 20 + 1));
        let lines = (1..=1000).map(|line| format!("DA:{line},{}\n", line * 7));
        let records = functions.chain(lines).collect::<Vec<_>>().concat();
        format!("SF:src/file{file}.c\n{records}LF:1000\nend_of_record\n")
    };
    let text = (0..200).map(file).collect::<Vec<_>>().concat();
    let imported = within(text.len(), 16, || lcov::read(text.as_bytes(), &Root::new(""))).unwrap();
    assert_eq!((imported.locations.len(), imported.warnings.len()), (200_000, 0));
}
