//! Records that are cut off or have changed bytes give an error, or other numbers if the process was killed.

use std::fs;
use std::mem::offset_of;

use trend_collect::import::{ImportError, Imported, Root, probe};
use trend_runtime::record::{HEADER_SIZE, Header, flag, pool};

use crate::support::{Records, c, done};

const PROGRAM: &str = "#include <signal.h>
    #include <stdlib.h>
    #include <unistd.h>
    __attribute__((noinline)) int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
    __attribute__((destructor)) static void last(void) { int a[30] = {0}; sum(a, 30); }
    int main(int count, char **words) {
        int a[20] = {0};
        for (int n = 0; n < 20; n++) sum(a, n);
        srand48(1);
        if (words[1][0] == 'k') kill(getpid(), SIGKILL);
        exit(0); }";

/// Returns the record of a program that ends normally, without the unused part of the file.
fn sealed() -> Vec<u8> {
    let program = c(PROGRAM);
    let (mut command, records) = program.command(&["exit"]);
    done(&mut command);
    bytes_of(&records)
}

/// Returns the record of a program that is killed.
fn record() -> Vec<u8> {
    let program = c(PROGRAM);
    let (mut command, records) = program.command(&["kill"]);
    assert!(!command.status().unwrap().success());
    bytes_of(&records)
}

fn bytes_of(records: &Records) -> Vec<u8> {
    let mut bytes = fs::read(&records.files()[0]).unwrap();
    let used = bytes[offset_of!(Header, used)..].first_chunk().unwrap();
    bytes.truncate(u64::from_ne_bytes(*used) as usize);
    bytes
}

#[test]
fn a_record_that_is_cut_off_or_changed_is_an_error_or_has_other_numbers() {
    let whole = record();
    assert_eq!((flags(&whole) & flag::SEALED, read(&whole).unwrap().series.len()), (0, 2));
    let step = (whole.len() / 500).max(1);
    let cut = (0..whole.len()).step_by(step).filter(|length| read(&whole[..*length]).is_err()).count();
    // Only bytes after the last record can be missing without an error.
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

fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    probe::read(bytes, &Root::new(""))
}

fn flags(bytes: &[u8]) -> u32 {
    let at = offset_of!(Header, flags);
    u32::from_ne_bytes(bytes[at..at + 4].try_into().unwrap())
}

#[test]
fn every_changed_byte_of_a_sealed_record_is_found() {
    let whole = sealed();
    assert_eq!(flags(&whole) & flag::SEALED, flag::SEALED);
    let expected = read(&whole).unwrap();
    // The record has the calls of the program's destructor.
    assert_eq!(
        expected.series.iter().flat_map(|one| &one.observations).map(trend_profile::Observation::size).max(),
        Some(30)
    );
    for at in 0..whole.len() {
        for bits in [1 << (at % 7), 0xff] {
            let mut changed = whole.clone();
            changed[at] ^= bits;
            let error = read(&changed).unwrap_err();
            let is_named = match error {
                ImportError::Changed { start, end, .. } => (start..=end).contains(&(at as u64)),
                _ => false,
            };
            assert!(is_named || at < size_of::<Header>(), "byte {at}: {error}");
        }
    }
    // The flag alone is missing if the process is killed at that moment.
    let mut without_flag = whole.clone();
    without_flag[offset_of!(Header, flags)] ^= flag::SEALED as u8;
    assert_eq!(read(&without_flag).unwrap(), expected);
    let error = read(&whole[..whole.len() - 8]).unwrap_err().to_string();
    assert!(error.contains("was changed after it was written, in bytes"), "{error}");
}

#[test]
fn a_record_is_sealed_only_if_nothing_more_can_be_written_to_it() {
    let program = c("#include <pthread.h>
        #include <stdlib.h>
        #include <unistd.h>
        __attribute__((noinline)) int work(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
        static volatile int is_working;
        static void *busy(void *forever) { do is_working = work(1000); while (forever); return 0; }
        int main(int count, char **words) {
            pthread_t thread;
            pthread_create(&thread, 0, busy, words[1][0] == 'b' ? words : 0);
            if (words[1][0] != 'b') pthread_join(thread, 0);
            while (!is_working) usleep(100);
            if (words[1][0] == '_') _exit(0);
            exit(0); }");
    let is_sealed = |how: &str| {
        let (mut command, records) = program.command(&[how]);
        done(&mut command);
        let bytes = bytes_of(&records);
        assert_eq!(read(&bytes).unwrap().series.len(), 3, "{how}");
        flags(&bytes) & flag::SEALED != 0
    };
    assert_eq!(["joined", "busy", "_exit"].map(is_sealed), [true, false, false]);
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

#[test]
fn a_damaged_file_of_forked_processes_is_an_error_or_has_other_numbers() {
    let program = c("#include <stdlib.h>
        #include <sys/wait.h>
        #include <unistd.h>
        __attribute__((noinline)) int sum(int *a, int n) { int s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
        int main(void) {
            static int a[300];
            for (int k = 0; k < 3; k++) {
                if (fork() == 0) { for (int n = 0; n < 10 + 100 * k; n++) sum(a, n); exit(0); }
                wait(0); }
            return 0; }");
    let (mut command, records) = program.command(&[]);
    done(&mut command);
    let [file] = &records.shared_files()[..] else { panic!("the children share a file") };
    let whole = fs::read(file).unwrap();
    let of_whole = read(&whole).unwrap();
    let calls = of_whole.series.iter().flat_map(|one| &one.observations).map(|o| o.count).sum::<u64>();
    assert_eq!(calls, 10 + 110 + 210);
    let end = whole.iter().rposition(|byte| *byte != 0).unwrap() + 1;
    let cut = (0..end).step_by(end / 100).filter(|length| read(&whole[..*length]).is_err()).count();
    assert!(cut > 90, "{cut}");
    let newest = u64::from_ne_bytes(*whole[offset_of!(pool::Header, newest)..].first_chunk().unwrap());
    let pieces = newest as usize + size_of::<Header>();
    for at in (0..size_of::<pool::Header>()).chain(pieces..pieces + 128).step_by(8) {
        for value in [0, 1, 4096, newest, newest + 4096, whole.len() as u64, u64::MAX, u64::MAX / 2, 1 << 33]
        {
            let mut changed = whole.clone();
            changed[at..at + 8].copy_from_slice(&value.to_ne_bytes());
            let _ = read(&changed);
        }
    }
    let mut other = whole.clone();
    other[offset_of!(pool::Header, version)] += 1;
    assert!(read(&other).unwrap_err().to_string().contains("it has version 2"));
}
