use trend_profile::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let s = StudyFile::read(std::path::Path::new(&a[1]), None).unwrap();
    let fs = LoopFunction::added_up(s.loops().iter().flat_map(|r| &r.functions)).0;
    for f in fs {
        for (k, l) in f.loops.iter().enumerate() {
            if f.file.ends_with(&a[2]) && l.line.to_string() == a[3] {
                println!(
                    "{k} {:?} {:?} {:?} uncounted {} const {:?} cond {}",
                    l.exits,
                    l.inputs.iter().map(|i| (&i.name, i.value, i.is_limit, i.counter_of)).collect::<Vec<_>>(),
                    l.stated,
                    l.is_uncounted,
                    l.constant_trips,
                    l.is_conditional
                );
                println!("{:?}", l.total);
                for o in &l.observations {
                    println!("{:?} x{} {:?} {:?}", o.inputs, o.activations, o.trips, o.inner_trips);
                }
            }
        }
    }
}
