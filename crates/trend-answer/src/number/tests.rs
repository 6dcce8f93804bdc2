use super::*;

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
fn an_interval_behind_its_cost_is_left_out_if_both_ends_look_like_it() {
    assert_eq!(cost_ends([2.264e9, 2.2649e9]), "");
    assert_eq!(cost_ends([2.26e9, 2.27e9]), "(2.26–2.27 G)");
    assert_eq!(cost_ends([9e8, 1.1e9]), "(900 M–1.1 G)");
}

#[test]
fn a_probability_is_never_all_or_nothing_where_there_are_rivals() {
    assert_eq!([1.0, 0.999, 0.5, 0.001, 0.0].map(probability), ["100 %", ">99 %", "50 %", "<1 %", "<1 %"]);
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
fn a_wide_interval_has_a_unit_at_each_end() {
    assert_eq!(seconds(174.0, Some([0.032, 49_200.0])), "2.9 min (32 ms–14 h)");
    assert_eq!(bytes_with_interval(4.5e6, Some([2e3, 9e9])), "4.5 MB (2.0 kB–9.0 GB)");
    assert_eq!(seconds(5.6, Some([0.6, 73.0])), "5.6 s (0.60–73)");
    let years = 365.25 * DAY;
    let wide = Some([9.1e65 * years, 8.9e70 * years]);
    assert_eq!(seconds(9.5e67 * years, wide), "9.5e67 years (9.1e65–8.9e70)");
    assert_eq!([seconds(1.8, Some([1.79, 1.81])), seconds(7.9e-6, None)], ["1.8 s", "7.9 µs"]);
}

#[test]
fn sizes_in_bytes_have_a_unit_from_a_thousand_on() {
    let shown =
        [0.0, 640.0, 1500.0, 1536.0, 40e6, 5_005_034.0, 2e15].map(|value| feature_size("bytes", value));
    assert_eq!(shown, ["0", "640", "1.5 kB", "1.54 kB", "40 MB", "5.01 MB", "2000 TB"]);
    assert_eq!([999_999.0, 0.5, 1e40, f64::NAN].map(byte_size), ["1.00 MB", "0.500", "1e40", "?"]);
    assert_eq!(feature_size("n", 40e6), "40 M");
}

#[test]
fn an_imperfect_fit_is_not_shown_as_perfect() {
    assert_eq!([r2(0.9985), r2(1.0), r2(0.9999), r2(0.871)], ["0.999", "1.00", "1.00", "0.87"]);
}
