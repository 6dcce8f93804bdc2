//! Reads and writes archives of objects as rustc makes them. Members can be replaced, and everything else stays.
//!
//! ```text
//!   !<arch>  index: symbol ─▶ member   long names   lib.rmeta   a.rcgu.o   b.rcgu.o
//! ```

use std::borrow::Cow;
use std::io;

use object::read::archive::ArchiveFile;
use object::read::elf::ElfFile64;
use object::{Endianness, Object, ObjectSymbol};

/// A member and its content.
pub(super) struct Member<'a> {
    pub(super) name: Vec<u8>,
    pub(super) data: Cow<'a, [u8]>,
}

const MAGIC: &[u8] = b"!<arch>\n";
const HEADER: usize = 60;
/// Maximum length of a name in a header, without the `/` after it.
const SHORT: usize = 15;

/// Returns the members of an archive, without its index.
///
/// # Errors
/// Fails if the bytes are not an archive, or if the archive refers to its members by path.
pub(super) fn members(bytes: &[u8]) -> io::Result<Vec<Member<'_>>> {
    let archive = ArchiveFile::parse(bytes).map_err(io::Error::other)?;
    if archive.is_thin() {
        return Err(io::Error::other("it is a thin archive"));
    }
    let members = archive.members().map(|member| {
        let member = member.map_err(io::Error::other)?;
        let data = member.data(bytes).map_err(io::Error::other)?;
        Ok(Member { name: member.name().to_vec(), data: Cow::Borrowed(data) })
    });
    members.collect()
}

/// Creates an archive of these members, with an index of the symbols that they define.
///
/// # Errors
/// Fails if the archive is too large for the format.
pub(super) fn archive(members: &[Member<'_>]) -> io::Result<Vec<u8>> {
    let mut names = Vec::new();
    let header_names: Vec<String> = members
        .iter()
        .map(|member| {
            if member.name.len() <= SHORT {
                return format!("{}/", String::from_utf8_lossy(&member.name));
            }
            let at = names.len();
            names.extend_from_slice(&member.name);
            names.extend_from_slice(b"/\n");
            format!("/{at}")
        })
        .collect();
    let symbols: Vec<Vec<Vec<u8>>> = members.iter().map(|member| defined(&member.data)).collect();
    let count: usize = symbols.iter().map(Vec::len).sum();
    let text: usize = symbols.iter().flatten().map(|name| name.len() + 1).sum();
    let index_length = 4 + 4 * count + text;
    let mut at = MAGIC.len() + HEADER + even(index_length);
    if !names.is_empty() {
        at += HEADER + even(names.len());
    }
    let mut index = number(count)?.to_vec();
    for (member, symbols) in members.iter().zip(&symbols) {
        for _ in symbols {
            index.extend(number(at)?);
        }
        at += HEADER + even(member.data.len());
    }
    for name in symbols.iter().flatten() {
        index.extend_from_slice(name);
        index.push(0);
    }
    let mut all = MAGIC.to_vec();
    write(&mut all, "/", &index);
    if !names.is_empty() {
        write(&mut all, "//", &names);
    }
    for (member, name) in members.iter().zip(&header_names) {
        write(&mut all, name, &member.data);
    }
    Ok(all)
}

fn even(length: usize) -> usize {
    length.next_multiple_of(2)
}

fn number(value: usize) -> io::Result<[u8; 4]> {
    u32::try_from(value).map(u32::to_be_bytes).map_err(|_| io::Error::other("it is larger than 4 GB"))
}

fn write(archive: &mut Vec<u8>, name: &str, data: &[u8]) {
    let header = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, data.len());
    archive.extend_from_slice(header.as_bytes());
    archive.extend_from_slice(data);
    if !data.len().is_multiple_of(2) {
        archive.push(b'\n');
    }
}

/// Returns the global symbols that an object defines.
fn defined(object: &[u8]) -> Vec<Vec<u8>> {
    let Ok(file) = ElfFile64::<Endianness>::parse(object) else { return Vec::new() };
    let symbols = file.symbols().filter(|s| s.is_global() && s.is_definition());
    symbols.filter_map(|s| Some(s.name_bytes().ok()?.to_vec())).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn an_archive_that_is_written_anew_is_one_for_binutils() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        std::fs::write(file("a.c"), "int a(void) { return 1; } int b;").unwrap();
        std::fs::write(file("long_name_of_some_text"), "odd").unwrap();
        let run = |line: &str| {
            let output = Command::new("sh").arg("-c").arg(line).current_dir(folder.path()).output().unwrap();
            assert!(output.status.success(), "{line}");
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        run("cc -c a.c && ar cr x.a long_name_of_some_text a.o");
        let bytes = std::fs::read(file("x.a")).unwrap();
        let again = archive(&members(&bytes).unwrap()).unwrap();
        std::fs::write(file("y.a"), &again).unwrap();
        assert_eq!(run("ar t y.a"), "long_name_of_some_text\na.o\n");
        assert_eq!(run("ar p y.a long_name_of_some_text"), "odd");
        assert_eq!(run("nm -s y.a | grep ' in '"), run("nm -s x.a | grep ' in '"));
        assert_eq!(archive(&members(&again).unwrap()).unwrap(), again);
    }
}
