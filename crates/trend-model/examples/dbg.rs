#[path = "simulation/draw.rs"]
mod draw;
#[path = "simulation/harder.rs"]
mod harder;
#[path = "simulation/shapes.rs"]
mod shapes;
fn main() {
    for (shape, noise) in [(shapes::Shape::Bend, 0.01), (shapes::Shape::Bend, 0.05), (shapes::Shape::Threshold, 0.01), (shapes::Shape::Doubling, 0.0)] {
        for number in 0..200 {
            let (x, y) = shapes::program(shape, noise, number);
            let Ok(v) = trend_model::growth(&x, &y) else { continue };
            if v.is_superlinear() == Some(true) {
                println!("{shape:?} {noise} #{number} {} n={}", v.verdict(), x.len());
                let first = y[0]; println!("   {}", x.iter().zip(&y).map(|(x, y)| format!("{x}:{:.4}", y / first )).collect::<Vec<_>>().join(" ").replace("NaN", ""));
                for f in v.fits.iter().take(5) { println!("   {} {:.3} spread {:.4} {}", f.class, f.support, f.spread, f.formula("n")); }
            }
        }
    }
}
