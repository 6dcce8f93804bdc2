//! Describes a time that is predicted by formulas.

use trend_analyze::FragmentsOutlook;

use crate::layout::number;
use crate::layout::text::visible;

/// Names the first two parts of a prediction with their shares: `sift 61 %, insert 20 %`.
pub(crate) fn most_of(outlook: &FragmentsOutlook) -> String {
    let share = |seconds: f64| number::share(seconds / outlook.seconds);
    let parts = outlook.parts.iter().take(2);
    parts
        .map(|part| format!("{} {}", visible(&part.constant), share(part.seconds)))
        .collect::<Vec<_>>()
        .join(", ")
}

/// Describes the prediction by formulas: `By formulas and the constants of AMD EPYC: 2.1 s (1.7–2.6); largest parts:
/// sift 61 %, insert 20 %.`
pub(crate) fn in_words(outlook: &FragmentsOutlook) -> String {
    let time = number::seconds(outlook.seconds, Some(outlook.ci));
    let beyond = match outlook.beyond.as_slice() {
        [] => String::new(),
        [first, ..] => format!(" {} was measured with less memory.", visible(first)),
    };
    let cpu = visible(&outlook.cpu);
    format!("By formulas and the constants of {cpu}: {time}; largest parts: {}.{beyond}", most_of(outlook))
}
