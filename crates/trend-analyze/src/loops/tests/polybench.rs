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

/// Returns a program after runs with these arguments, and its laws.
fn ran(mut program: Program, runs: &[Vec<i64>]) -> (LoopFunction, Vec<TripsLaw>) {
    for arguments in runs {
        program.run(arguments);
    }
    let function = program.observed();
    let laws = function.loops.iter().map(|one| trips::law(one, &Options::default())).collect();
    (function, laws)
}

/// Returns the loops whose trips, or whose trips in a call, are not exact or wrong at other arguments.
fn wrong(program: &Program, runs: &[Vec<i64>], others: &[Vec<i64>]) -> Vec<String> {
    let (function, laws) = ran(program.again(), runs);
    let nest = Nest::new(&function, &laws);
    let mut wrong = Vec::new();
    for arguments in others {
        let mut other = program.again();
        other.run(arguments);
        let other = other.observed();
        for (index, one) in function.loops.iter().enumerate() {
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
            for o in &other.loops[index].observations {
                let value = |name: &str| {
                    let position = one.inputs.iter().position(|input| symbols::symbol(input) == name)?;
                    Some(i128::from(o.inputs[position]))
                };
                if !polynomial.gives(o.trips.least, &value) {
                    say("wrong at other arguments");
                    break;
                }
            }
            // The sum over the whole nest in a call is exact as well.
            let formula = nest.formula_in_call(index as u32, false);
            let total = other.loops[index].total.trips;
            let value = |name: &str| {
                let position = function.parameters.iter().position(|one| one == name)?;
                Some(i128::from(arguments[position]))
            };
            if !formula.as_ref().is_some_and(|formula| formula.gives(total, &value)) {
                let formula = formula.as_ref().map(|formula| in_words(formula).to_string());
                say(&format!("in a call {formula:?} for {total} at {arguments:?}:"));
            }
        }
    }
    wrong
}

#[test]
fn every_loop_of_the_thirty_kernels_is_exact_and_stays_so_at_larger_sizes() {
    let mut loops = 0;
    for text in KERNELS {
        let program = Program::new(text);
        let runs = runs(program.function.parameters.len());
        let larger = runs[0].iter().map(|n| n * 10).collect();
        loops += program.function.loops.len();
        assert_eq!(wrong(&program, &runs, &[larger]), Vec::<String>::new());
    }
    assert!(loops > 120, "{loops}");
}

/// Sizes of later runs: equal, zero, one, swapped, and others.
fn others(parameters: usize) -> Vec<Vec<i64>> {
    let sizes = [
        [8, 8, 8, 8],
        [0, 0, 0, 0],
        [1, 1, 1, 1],
        [0, 5, 3, 2],
        [5, 0, 2, 3],
        [6, 4, 7, 5],
        [1, 9, 1, 9],
        [2, 30, 4, 1],
        [31, 3, 2, 6],
    ];
    sizes.iter().map(|sizes| sizes[..parameters].to_vec()).collect()
}

#[test]
fn stated_loops_are_right_in_calls_of_any_proportion_after_runs_in_which_all_sizes_move_together() {
    for text in KERNELS {
        let program = Program::new(text).stated();
        let parameters = program.function.parameters.len() as i64;
        let line = (4..9).map(|n| (0..parameters).map(|k| n + 2 * k).collect());
        let line: Vec<Vec<i64>> = line.collect();
        assert_eq!(wrong(&program, &line, &others(parameters as usize)), Vec::<String>::new(), "{text}");
        // A single run is enough: nothing is interpolated.
        assert_eq!(wrong(&program, &line[..1], &others(parameters as usize)), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn random_nests_have_no_formula_that_is_called_exact_and_is_wrong() {
    let (mut exact, mut loops) = (0, 0);
    for seed in 1..=300 {
        let text = random_nest(seed);
        let program = Program::new(&text).stated();
        let runs = runs(2);
        let (function, laws) = ran(program.again(), &runs[..2]);
        let nest = Nest::new(&function, &laws);
        for arguments in others(2) {
            let mut other = program.again();
            other.run(&arguments);
            let other = other.observed();
            let value = |name: &str| {
                let position = function.parameters.iter().position(|one| one == name)?;
                Some(i128::from(arguments[position]))
            };
            for index in 0..function.loops.len() as u32 {
                loops += 1;
                let Some(formula) = nest.formula_in_call(index, false) else { continue };
                if !nest.trips_in_call(index).is_known() {
                    continue;
                }
                exact += 1;
                let total = other.loops[index as usize].total.trips;
                assert!(
                    formula.gives(total, &value),
                    "{text}\nline {}: {formula} for {total} at {arguments:?}",
                    function.loops[index as usize].line
                );
            }
        }
    }
    assert!(exact > loops / 2, "{exact} of {loops}");
}

/// Returns a nest of up to four loops: triangles, steps, and both directions.
fn random_nest(seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mut draw = |one_of: &[&str]| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        one_of[(state >> 33) as usize % one_of.len()].to_owned()
    };
    let mut text = "nest(n, m)\n".to_owned();
    let depth: usize = draw(&["1", "2", "3", "4"]).parse().unwrap();
    for level in 0..depth {
        let outer = if level > 0 {
            format!("i{}", draw(&["0", "1", "2"]).parse::<usize>().unwrap().min(level - 1))
        } else {
            "n".to_owned()
        };
        let end = draw(&["n", "m", "OUT", "n-1", "m+1", "n-OUT", "OUT+1", "OUT-1"]).replace("OUT", &outer);
        let start = draw(&["0", "0", "1", "2", "OUT", "OUT+1"]).replace("OUT", &outer);
        let (start, end) = if level == 0 { (draw(&["0", "1"]), end) } else { (start, end) };
        let indent = "  ".repeat(level + 1);
        let line = match draw(&["up", "up", "up", "step", "down"]).as_str() {
            "step" => format!("{indent}for i{level} {start} {end} step {}\n", draw(&["2", "3"])),
            "down" => format!("{indent}for i{level} {end}-1 {start} down\n"),
            _ => format!("{indent}for i{level} {start} {end}\n"),
        };
        text += &line;
    }
    text
}

#[test]
fn kernels_grow_as_their_nests() {
    let growth = |name: &str| {
        let text = KERNELS.iter().find(|text| text.starts_with(&format!("{name}("))).unwrap();
        let count = Program::new(text).function.parameters.len();
        let runs = runs(count);
        let runs: Vec<&[i64]> = runs.iter().map(Vec::as_slice).collect();
        let (_, functions) = loop_rows(text, &runs);
        (functions[0].o.clone(), functions[0].trips.clone().unwrap())
    };
    assert_eq!(growth("gemm").0, "ni·nj·nk");
    assert_eq!(growth("lu").0, "n³");
    assert_eq!(growth("heat-3d").0, "n³·tsteps");
    assert_eq!(growth("3mm").0, "ni·nj·nk + ni·nj·nl + nj·nk·nl");
    // Loops i and j make n + ½n² − ½n trips, loop k makes ⅙n³ − ½n² + ⅓n, and loop l adds another triangle.
    assert_eq!(growth("cholesky").1, "⅙n³ + ½n² + ⅓n");
}
