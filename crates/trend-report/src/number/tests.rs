use super::*;

#[test]
fn times_are_told_in_a_unit_that_fits() {
    let told =
        [0, 999, 1500, 2_500_000, 5_400_000_000, 61_000_000_000_000].map(|t| in_unit(t, &Unit::new("ps")));
    assert_eq!(told, ["0 ps", "999 ps", "1.50 ns", "2.50 µs", "5.40 ms", "61.0 s"]);
    assert_eq!(in_unit(1_800_000_000, &Unit::default()), "1.80 G executions");
}

#[test]
fn costs_are_scaled_by_suffixes_and_small_ones_exact() {
    let shown: Vec<String> = [0, 7, 1770, 9999, 19_900, 999_960, 1_799_970_000, u64::MAX].map(count).to_vec();
    assert_eq!(shown, ["0", "7", "1770", "9999", "19.9 k", "1.00 M", "1.80 G", "18.4 E"]);
    assert_eq!(cost(1e300, 3), "1.00e300");
    assert_eq!(cost(0.31, 2), "0.31");
    assert_eq!(cost(f64::NAN, 2), "?");
    assert_eq!(cost(f64::INFINITY, 2), "∞");
}

#[test]
fn an_interval_shows_the_digits_that_tell_its_ends_apart() {
    assert_eq!(cost_interval([2.15e10, 2.17e10]), "21.5–21.7 G");
    assert_eq!(cost_interval([4e9, 7e9]), "4.0–7.0 G");
    assert_eq!(cost_interval([9e8, 1.1e9]), "900 M–1.1 G");
    assert_eq!(exponent_interval([2.0003, 2.0011]), "2.000–2.001");
    assert_eq!(exponent_interval([2.00062, 2.00071]), "2.001");
    assert_eq!(cost_interval([9.600_01e9, 9.600_02e9]), "9.600 G");
    assert_eq!(factor(4.0, Some([3.999_99, 4.000_01])), "4.000×");
    assert_eq!(factor(4.0019, Some([4.0, 4.003])), "4.002× (4.000–4.003)");
    assert_eq!(exponent_interval([-0.001, 0.25]), "0.00–0.25");
    assert_eq!(exponent_interval([-0.4, 0.25]), "−0.40 … 0.25");
}

#[test]
fn negative_numbers_have_a_minus_and_no_dash_beside_it() {
    assert_eq!([cost(-1.1e9, 2), cost(-7.0, 2), cost(-0.31, 2)], ["−1.1 G", "−7", "−0.31"]);
    assert_eq!([size(-60.0), size(-1e9), size(-0.25)], ["−60", "−1 G", "−0.250"]);
    assert_eq!([significant(-1e-7, 2), exponent(-0.5, None), r2(-0.25)], ["−1.0e-7", "−0.50", "−0.25"]);
    assert_eq!([exponent(-0.001, None), r2(-0.001), cost(-0.0, 2)], ["0.00", "0.00", "0"]);
    assert_eq!(cost_interval([-4e9, -3e9]), "−4.0 … −3.0 G");
    assert_eq!(significant_interval([-1.0, 2.0]), "−1.00 … 2.00");
}

#[test]
fn digits_follow_the_interval() {
    assert_eq!(supported_digits(21.6, Some([21.5, 21.7])), 3);
    assert_eq!(supported_digits(5.5, Some([4.0, 7.0])), 2);
    assert_eq!(supported_digits(5.5, None), 3);
    assert_eq!(supported_digits(5.5, Some([5.5, 5.5])), 4);
    assert_eq!(significant(140.0, 1), "100");
    assert_eq!(significant(1e-7, 2), "1.0e-7");
    assert_eq!(significant(0.008, 2), "0.0080");
}

#[test]
fn sizes_are_grouped_or_scaled() {
    let shown = [60.0, 600_000.0, 1e9, 128e6, 52_428_800.0, 0.25, 1e22].map(size);
    assert_eq!(shown, ["60", "600,000", "1 G", "128 M", "52.4 M", "0.250", "1e22"]);
}

#[test]
fn an_imperfect_fit_is_not_shown_as_perfect() {
    assert_eq!([r2(0.9985), r2(1.0), r2(0.9999), r2(0.871)], ["0.999", "1.00", "1.00", "0.87"]);
}

/// The page formats some numbers itself, such as a size that the user types. The table of arguments and results checks
/// that its functions follow the same rules.
#[test]
fn the_page_formats_numbers_as_the_terminal_does() {
    let numbers = [
        0.0,
        1.0,
        -1.0,
        7.0,
        60.0,
        99.95,
        140.0,
        999.5,
        1770.0,
        1770.25,
        9999.0,
        9999.6,
        10_000.0,
        19_900.0,
        52_450.5,
        600_000.0,
        999_499.0,
        999_960.0,
        1.5e6,
        12_345_678.0,
        52_428_800.0,
        128e6,
        1e9,
        -1.1e9,
        1_799_970_000.0,
        1.8e19,
        1e22,
        1e300,
        0.25,
        0.31,
        -0.31,
        0.008,
        -0.001,
        1.0 / 3.0,
        1e-4,
        9.9e-5,
        1e-7,
        -1e-7,
    ];
    let intervals = [
        [2.15e10, 2.17e10],
        [4e9, 7e9],
        [9e8, 1.1e9],
        [2.0003, 2.0011],
        [2.00062, 2.00071],
        [9.600_01e9, 9.600_02e9],
        [-0.001, 0.25],
        [-0.4, 0.25],
        [-4e9, -3e9],
        [5.4e11, 5.4e11],
        [1.9, 1.96],
        [0.0, 12.0],
        [9990.0, 10_010.0],
        [1e300, 2e300],
        [5.5, 5.5],
        [1e-9, 3e-9],
    ];
    let mut table = Vec::new();
    let mut push = |function: &str, of: serde_json::Value, text: String| {
        table.push(serde_json::json!([function, of, text]));
    };
    for value in numbers {
        for digits in 1..5 {
            push("significant", serde_json::json!([value, digits]), significant(value, digits));
            push("cost", serde_json::json!([value, digits]), cost(value, digits));
        }
        push("size", serde_json::json!([value]), size(value));
        push("tick", serde_json::json!([value]), tick(value));
    }
    for ci in intervals {
        push("costInterval", serde_json::json!([ci]), cost_interval(ci));
        let middle = ci[0].midpoint(ci[1]);
        push(
            "supportedDigits",
            serde_json::json!([middle, ci]),
            supported_digits(middle, Some(ci)).to_string(),
        );
        if ci[1] < 1000.0 {
            push("exponentInterval", serde_json::json!([ci]), exponent_interval(ci));
            push("exponent", serde_json::json!([middle, ci]), exponent(middle, Some(ci)));
        }
    }
    for part in [0.0, 1e-9, 0.000_499, 0.0005, 0.012, 0.5, 0.9996, 1.0] {
        push("share", serde_json::json!([part]), share(part));
    }
    for value in [-0.25, -0.001, 0.0, 0.5, 0.994, 0.9949, 0.995, 0.9994, 0.9995, 1.0] {
        push("r2", serde_json::json!([value]), r2(value));
    }
    let rows: Vec<String> = table.iter().map(ToString::to_string).collect();
    let found = format!("[\n{}\n]\n", rows.join(",\n"));
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/ui/tests/formats.json");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &found).unwrap();
    }
    let known = std::fs::read_to_string(path).unwrap_or_default();
    assert!(known == found, "UPDATE_GOLDEN=1 writes {path} anew");
}
