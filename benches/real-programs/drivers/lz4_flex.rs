//! Compresses a file, decompresses it, and says how many bytes that takes.

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let bytes = std::fs::read(path).expect("the file can be read");
    let packed = lz4_flex::block::compress_prepend_size(&bytes);
    assert_eq!(lz4_flex::block::decompress_size_prepended(&packed).expect("what was packed"), bytes);
    println!("{}", packed.len());
}
