//! Compresses a file, decompresses it, and prints the compressed size in bytes.

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let bytes = std::fs::read(path).expect("the file can be read");
    let packed = lz4_flex::block::compress_prepend_size(&bytes);
    assert_eq!(lz4_flex::block::decompress_size_prepended(&packed).expect("what was packed"), bytes);
    println!("{}", packed.len());
}
