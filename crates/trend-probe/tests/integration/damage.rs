//! Records that are cut off or have changed bytes give an error or other numbers.

use std::fs;

use trend_collect::import::{Root, probe};
use trend_runtime::record::HEADER_SIZE;

use crate::support::{c, done};

/// Returns the record of a program, without the unused part of the file.
fn record() -> Vec<u8> {
    let program = c("#include <stdlib.h>
        __attribute__((noinline)) int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
        int main(void) { int a[20] = {0}; for (int n = 0; n < 20; n++) sum(a, n); srand48(1); exit(0); }");
    let (mut command, records) = program.command(&[]);
    done(&mut command);
    let mut bytes = fs::read(&records.files()[0]).unwrap();
    let used = bytes.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    bytes.truncate(used.next_multiple_of(8));
    bytes
}

#[test]
fn a_record_that_is_cut_off_or_changed_is_an_error_or_has_other_numbers() {
    let whole = record();
    let root = Root::new("");
    let read = |bytes: &[u8]| probe::read(bytes, &root);
    assert_eq!(read(&whole).unwrap().series.len(), 2);
    let step = (whole.len() / 500).max(1);
    let cut = (0..whole.len()).step_by(step).filter(|length| read(&whole[..*length]).is_err()).count();
    // Only bytes behind the last record can be missing without an error.
    assert!(cut > 400, "{cut}");
    for at in (0..whole.len()).step_by(step).chain(0..HEADER_SIZE as usize) {
        for bits in [1_u8, 0x80, 0xff] {
            let mut changed = whole.clone();
            changed[at] ^= bits;
            let _ = read(&changed);
        }
    }
    let mut other = whole.clone();
    other[8] += 1;
    let error = read(&other).unwrap_err().to_string();
    assert!(error.contains("it has version"), "{error}");
}

#[test]
fn hostile_offsets_neither_hang_nor_take_memory() {
    let whole = record();
    let root = Root::new("");
    for at in (0..whole.len() - 8).step_by(8) {
        for value in [0, HEADER_SIZE, 8, whole.len() as u64 - 1, u64::MAX, u64::MAX / 2] {
            let mut changed = whole.clone();
            changed[at..at + 8].copy_from_slice(&value.to_ne_bytes());
            let _ = probe::read(&changed[..], &root);
        }
        if at > 4096 {
            break;
        }
    }
}
