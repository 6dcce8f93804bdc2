//! Loops with many values of inputs, and damaged records.

use std::mem::offset_of;

use trend_collect::import::{Root, probe};
use trend_runtime::record::{HEADER_SIZE, Header};

use super::{bytes_of, c, run};
use crate::support::done;

/// 300,000 activations whose inputs repeat after a long time, and whose trips follow from the inputs.
const MANY: &str = "#include <stdio.h>\n#define NI __attribute__((noinline))
    int a[3000]; NI long sum(int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i] ^ i; return s; }
    int main(void) { unsigned x = 1; long s = 0; for (volatile int k = 0; k < 300000; k++) { x = x * 1664525 + 1013904223; s += sum(x >> 21); } s += sum(2999); printf(\"%ld\\n\", s); return 0; }";

#[test]
fn totals_and_extremes_are_exact_whatever_is_sampled() {
    let loops = run(&c(MANY));
    let one = loops.get("sum", 0);
    let (mut x, mut trips) = (1_u32, 2999_u64);
    for _ in 0..300_000 {
        x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        trips += u64::from(x >> 21);
    }
    assert_eq!((one.total.activations, one.total.trips), (300_001, trips));
    assert_eq!((one.total.least.trips, one.total.greatest.trips), (0, 2999));
    assert_eq!((one.total.least.inputs[0], one.total.greatest.inputs[0]), (0, 2999));
    let share = one.total.sampled.unwrap();
    assert!((0.01..0.3).contains(&share), "{share}");
    // Kept activations are exact, and their weights add up to about all activations.
    assert!(one.observations.iter().all(|o| o.trips.sum == o.activations * o.inputs[0] as u64));
    let estimate: u64 = one.observations.iter().map(|o| o.activations).sum();
    assert!((estimate as f64 / 300_001.0 - 1.0).abs() < 0.1, "{estimate}");
    let mean = one.observations.iter().map(|o| o.trips.sum).sum::<u64>() as f64 / estimate as f64;
    assert!((mean / (trips as f64 / 300_001.0) - 1.0).abs() < 0.03, "{mean}");
}

#[test]
fn a_record_that_is_cut_off_or_changed_is_an_error_or_has_other_numbers() {
    let program = c("#include <stdio.h>\n__attribute__((noinline)) int sum(int *a, int n, int m) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i] ^ j; return s; }
        int main(void) { int a[20] = {0}; for (volatile int n = 0; n < 20; n++) sum(a, n, n); return 0; }");
    let (mut command, records) = program.command(&[]);
    done(&mut command);
    let mut whole = bytes_of(&records);
    let at = offset_of!(Header, used);
    let used = u64::from_ne_bytes(whole[at..at + 8].try_into().unwrap());
    whole.truncate(used as usize);
    let root = Root::new("");
    let read = |bytes: &[u8]| probe::read(bytes, &root);
    let read_whole = read(&whole).unwrap();
    assert_eq!(read_whole.loops.iter().map(|f| f.loops.len()).sum::<usize>(), 3);
    let cut = (0..whole.len()).step_by(7).filter(|length| read(&whole[..*length]).is_err()).count();
    assert!(cut > 400, "{cut}");
    for at in (0..256).chain((256..whole.len()).step_by(5)) {
        for bits in [1_u8, 0x80, 0xff] {
            let mut changed = whole.clone();
            changed[at] ^= bits;
            let _ = read(&changed);
        }
    }
    for at in (0..whole.len() - 8).step_by(8) {
        for value in [0, HEADER_SIZE, 8, whole.len() as u64 - 1, u64::MAX, u64::MAX / 2, 1 << 33] {
            let mut changed = whole.clone();
            changed[at..at + 8].copy_from_slice(&value.to_ne_bytes());
            let _ = read(&changed);
        }
    }
    let mut other = whole.clone();
    other[8] += 1;
    assert!(read(&other).unwrap_err().to_string().contains("it has version"));
}
