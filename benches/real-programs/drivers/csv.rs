//! Reads a CSV file, and writes it with its columns in reverse order.

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let mut reader = csv::Reader::from_path(path).expect("the file can be read");
    let mut writer = csv::Writer::from_writer(std::io::stdout());
    let mut widest = vec![0; reader.headers().expect("a first line").len()];
    for record in reader.records() {
        let record = record.expect("a record");
        for (width, field) in widest.iter_mut().zip(&record) {
            *width = field.len().max(*width);
        }
        writer.write_record(record.iter().rev()).expect("stdout takes it");
    }
    writer.flush().expect("stdout takes it");
    println!("{widest:?}");
}
