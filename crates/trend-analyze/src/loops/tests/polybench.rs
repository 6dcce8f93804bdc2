//! The loop structure of the 30 kernels of PolyBench/C, rewritten as text programs. Every loop's polynomial is exact,
//! and right at sizes ten times larger. So are the sums over nests in a call.
//!
//! L.-N. Pouchet and T. Yuki, *PolyBench/C*. Conditions on data in these kernels affect no loop, and are left out.

use super::*;

/// The kernels' names and loops. The parameters are the sizes; `tsteps` and `tmax` are numbers of time steps.
const KERNELS: [&str; 30] = [
    "correlation(m, n)\n  for j 0 m\n    for i 0 n\n  for j 0 m\n    for i 0 n\n  for i 0 n\n    for j 0 m\n  for i 0 m-1\n    for j i+1 m\n      for k 0 n",
    "covariance(m, n)\n  for j 0 m\n    for i 0 n\n  for i 0 n\n    for j 0 m\n  for i 0 m\n    for j i m\n      for k 0 n",
    "gemm(ni, nj, nk)\n  for i 0 ni\n    for j 0 nj\n    for k 0 nk\n      for l 0 nj",
    "gemver(n)\n  for i 0 n\n    for j 0 n\n  for i 0 n\n    for j 0 n\n  for i 0 n\n  for i 0 n\n    for j 0 n",
    "gesummv(n)\n  for i 0 n\n    for j 0 n",
    "symm(m, n)\n  for i 0 m\n    for j 0 n\n      for k 0 i",
    "syr2k(n, m)\n  for i 0 n\n    for j 0 i+1\n    for k 0 m\n      for l 0 i+1",
    "syrk(n, m)\n  for i 0 n\n    for j 0 i+1\n    for k 0 m\n      for l 0 i+1",
    "trmm(m, n)\n  for i 0 m\n    for j 0 n\n      for k i+1 m",
    "2mm(ni, nj, nk, nl)\n  for i 0 ni\n    for j 0 nj\n      for k 0 nk\n  for i 0 ni\n    for j 0 nl\n      for k 0 nj",
    "3mm(ni, nj, nk, nl)\n  for i 0 ni\n    for j 0 nj\n      for k 0 nk\n  for i 0 nj\n    for j 0 nl\n      for k 0 nk\n  for i 0 ni\n    for j 0 nl\n      for k 0 nj",
    "atax(m, n)\n  for i 0 n\n  for i 0 m\n    for j 0 n\n    for k 0 n",
    "bicg(m, n)\n  for i 0 m\n  for i 0 n\n    for j 0 m",
    "doitgen(nq, nr, np)\n  for r 0 nr\n    for q 0 nq\n      for p 0 np\n        for s 0 np\n      for t 0 np",
    "mvt(n)\n  for i 0 n\n    for j 0 n\n  for i 0 n\n    for j 0 n",
    "cholesky(n)\n  for i 0 n\n    for j 0 i\n      for k 0 j\n    for l 0 i",
    "durbin(n)\n  for k 1 n\n    for i 0 k\n    for j 0 k\n    for l 0 k",
    "gramschmidt(m, n)\n  for k 0 n\n    for i 0 m\n    for j 0 m\n    for l k+1 n\n      for a 0 m\n      for b 0 m",
    "lu(n)\n  for i 0 n\n    for j 0 i\n      for k 0 j\n    for l i n\n      for a 0 i",
    "ludcmp(n)\n  for i 0 n\n    for j 0 i\n      for k 0 j\n    for l i n\n      for a 0 i\n  for i 0 n\n    for j 0 i\n  for b n-1 0 down\n    for c b+1 n",
    "trisolv(n)\n  for i 0 n\n    for j 0 i",
    "deriche(w, h)\n  for i 0 w\n    for j 0 h\n  for i 0 w\n    for j h-1 0 down\n  for i 0 w\n    for j 0 h\n  for j 0 h\n    for i 0 w\n  for j 0 h\n    for i w-1 0 down\n  for i 0 w\n    for j 0 h",
    "floyd-warshall(n)\n  for k 0 n\n    for i 0 n\n      for j 0 n",
    "nussinov(n)\n  for i n-1 0 down\n    for j i+1 n\n      for k i+1 j",
    "adi(tsteps, n)\n  for t 1 tsteps+1\n    for i 1 n-1\n      for j 1 n-1\n      for k n-2 1 down\n    for a 1 n-1\n      for b 1 n-1\n      for c n-2 1 down",
    "fdtd-2d(tmax, nx, ny)\n  for t 0 tmax\n    for j 0 ny\n    for i 1 nx\n      for k 0 ny\n    for l 0 nx\n      for a 1 ny\n    for b 0 nx-1\n      for c 0 ny-1",
    "heat-3d(tsteps, n)\n  for t 1 tsteps+1\n    for i 1 n-1\n      for j 1 n-1\n        for k 1 n-1\n    for a 1 n-1\n      for b 1 n-1\n        for c 1 n-1",
    "jacobi-1d(tsteps, n)\n  for t 0 tsteps\n    for i 1 n-1\n    for j 1 n-1",
    "jacobi-2d(tsteps, n)\n  for t 0 tsteps\n    for i 1 n-1\n      for j 1 n-1\n    for k 1 n-1\n      for l 1 n-1",
    "seidel-2d(tsteps, n)\n  for t 0 tsteps\n    for i 1 n-1\n      for j 1 n-1",
];

/// Returns the sizes of the runs, one per parameter.
fn runs(parameters: usize) -> Vec<Vec<i64>> {
    let sizes = [
        [4, 6, 5, 7],
        [7, 5, 9, 4],
        [9, 8, 4, 6],
        [6, 11, 7, 10],
        [12, 4, 6, 9],
        [10, 9, 11, 5],
        [5, 13, 8, 12],
    ];
    sizes.iter().map(|sizes| sizes[..parameters].to_vec()).collect()
}

#[test]
fn every_loop_of_the_thirty_kernels_is_exact_and_stays_so_at_larger_sizes() {
    let (mut loops, mut wrong) = (0, Vec::new());
    for text in KERNELS {
        let mut program = Program::new(text);
        let count = program.function.parameters.len();
        for arguments in runs(count) {
            program.run(&arguments);
        }
        let function = program.observed();
        let laws: Vec<TripsLaw> =
            function.loops.iter().map(|one| trips::law(one, &Options::default())).collect();
        let nest = Nest::new(&function, &laws);
        let large: Vec<i64> = runs(count)[0].iter().map(|n| n * 10).collect();
        let mut larger = program.again();
        larger.run(&large);
        let larger = larger.observed();
        for (index, one) in function.loops.iter().enumerate() {
            loops += 1;
            let law = &laws[index];
            let mut say = |what: &str| {
                let formula = law.polynomial.as_ref().map(ToString::to_string);
                wrong.push(format!("{} line {}: {what} {formula:?}", function.symbol.name, one.line));
            };
            let Some(polynomial) =
                law.polynomial.as_ref().filter(|_| law.off == 0 && law.status == LoopStatus::Exact)
            else {
                say("not exact");
                continue;
            };
            for o in &larger.loops[index].observations {
                let value = |name: &str| {
                    let position = one.inputs.iter().position(|input| symbols::symbol(input) == name)?;
                    Some(i128::from(o.inputs[position]))
                };
                if !polynomial.gives(o.trips.least, &value) {
                    say("wrong at a larger size");
                    break;
                }
            }
            // The sum over the whole nest in a call is exact as well.
            let in_call = nest.trips_in_call(index as u32);
            let total = larger.loops[index].total.trips;
            let value = |name: &str| {
                let position = function.parameters.iter().position(|one| one == name)?;
                Some(i128::from(large[position]))
            };
            if !in_call.polynomial.gives(total, &value) {
                say(&format!(
                    "in a call {} ({:?}) for {total}:",
                    in_words(&in_call.polynomial),
                    in_call.certainty
                ));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new(), "{} of {loops}", wrong.len());
    assert!(loops > 120, "{loops}");
}

#[test]
fn kernels_grow_as_their_nests() {
    let growth = |name: &str| {
        let text = KERNELS.iter().find(|text| text.starts_with(&format!("{name}("))).unwrap();
        let count = Program::new(text).function.parameters.len();
        let runs = runs(count);
        let runs: Vec<&[i64]> = runs.iter().map(Vec::as_slice).collect();
        let (_, functions) = found(text, &runs);
        (functions[0].o.clone(), functions[0].trips.clone().unwrap())
    };
    assert_eq!(growth("gemm").0, "ni·nj·nk");
    assert_eq!(growth("lu").0, "n³");
    assert_eq!(growth("heat-3d").0, "n³·tsteps");
    assert_eq!(growth("3mm").0, "ni·nj·nk + ni·nj·nl + nj·nk·nl");
    // Loops i and j make n + ½n² − ½n trips, loop k makes ⅙n³ − ½n² + ⅓n, and loop l adds another triangle.
    assert_eq!(growth("cholesky").1, "⅙n³ + ½n² + ⅓n");
}
