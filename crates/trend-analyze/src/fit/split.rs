//! Splits a model into two trends, each with its workloads and its own models.

use trend_model::two_trends;
use trend_profile::Study;

use super::modeller::Modeller;
use super::rule;
use super::rule::Rule;
use crate::findings::doubt::Explanation;
use crate::findings::model::{Model, Split, Trend};

impl Modeller {
    /// Adds the two trends to every model whose points follow two. Adds the rule that separates them to the doubt about
    /// this.
    pub(crate) fn add_splits(&self, study: &Study, costs: &[f64], models: &mut [Model]) {
        for (feature, model) in models.iter_mut().enumerate() {
            if let Some(doubt) = model.doubts.iter_mut().find(|doubt| doubt.is_split())
                && let Some(split) = self.split(study, costs, feature)
            {
                let (feature, rule) = (split.told_apart_by.clone(), split.rule.clone());
                doubt.explain(Explanation::Split { feature, rule });
                model.split = Some(split);
            }
        }
    }

    fn split(&self, study: &Study, costs: &[f64], feature: usize) -> Option<Split> {
        let column = &self.columns[feature];
        let y: Vec<f64> = column.present.iter().map(|&i| costs[i]).collect();
        let sides = two_trends(&column.values, &y)?.is_upper;
        let sided = column.present.iter().zip(sides).filter_map(|(&i, side)| Some((i, side?)));
        let (indices, is_upper): (Vec<usize>, Vec<bool>) = sided.unzip();
        let rule = rule::find(study, &column.name, &indices, &is_upper);
        let (told_apart_by, words, is_upper) = match rule {
            Some(Rule { feature, words, is_costlier }) => (feature, Some(words), is_costlier),
            None => (None, None, is_upper),
        };
        let trend = |upper: bool| {
            let mut keep = vec![false; costs.len()];
            for (&i, &side) in indices.iter().zip(&is_upper) {
                keep[i] = side == upper;
            }
            let model = self.model_of(feature, &keep, costs);
            let members = study.workloads().iter().zip(&keep).filter(|(_, keep)| **keep);
            let workloads = members.map(|(workload, _)| workload.name.clone()).collect();
            Trend { workloads, power_law: model.power_law, growth: model.growth }
        };
        Some(Split { told_apart_by, rule: words, trends: vec![trend(false), trend(true)] })
    }
}

#[cfg(test)]
mod tests {
    use trend_profile::Study;

    use crate::analyze::analyze;
    use crate::findings::Findings;
    use crate::findings::doubt::{Doubt, Explanation};
    use crate::options::Options;

    /// Findings for `n` between 100 and 50,000. Every second workload costs `other` and has another `kind`.
    fn study(cost: fn(f64) -> f64, other: fn(f64) -> f64, kind: bool) -> Findings {
        let sizes: Vec<f64> =
            (0..32).map(|i| (100.0 * 500f64.powf(f64::from(i / 2) / 15.0)).round()).collect();
        let row = |f: &dyn Fn(usize) -> f64| {
            (0..32).map(|i| f(i).round().to_string()).collect::<Vec<_>>().join(" ")
        };
        // The costs are deterministic, each off by a few per cent.
        let wobble = |i: usize| 1.0 + ((i * 7919) % 13) as f64 / 400.0;
        let costs = row(&|i| wobble(i) * if i % 2 == 0 { cost(sizes[i]) } else { other(sizes[i]) });
        let sorted = if kind { format!("sorted: {}\n", row(&|i| (i % 2) as f64)) } else { String::new() };
        let text = format!("n: {}\n{sorted}a.c:1:f: {costs}", row(&|i| sizes[i]));
        analyze(&Study::from_text(&text).unwrap(), &Options::default()).unwrap()
    }

    #[test]
    fn sorted_and_random_inputs_are_two_trends_with_their_own_classes() {
        let findings = study(|n| 10.0 * n * n.log2(), |n| 5.0 * n * n, true);
        for models in [
            &findings.total.fits.models,
            &findings.clusters[0].fits.models,
            &findings.functions[0].fits.models,
        ] {
            let split = models[0].split.as_ref().unwrap();
            assert_eq!(split.told_apart_by.as_deref(), Some("sorted"));
            assert_eq!(split.rule.as_deref(), Some("sorted = 0 is cheaper, sorted = 1 more expensive"));
            let names: Vec<&str> = split.trends[1].workloads.iter().map(String::as_str).collect();
            assert_eq!((names.len(), names[0], names[15]), (16, "w0002", "w0032"));
            let law = |i: usize| split.trends[i].power_law.as_ref().unwrap().b;
            assert!((law(1) - 2.0).abs() < 0.02 && (1.0..1.3).contains(&law(0)), "{} {}", law(0), law(1));
            assert_eq!(split.trends[1].growth.as_ref().unwrap().verdict, "n^2");
            let doubt = models[0].doubts.iter().find(|doubt| doubt.is_split()).unwrap();
            let by = matches!(doubt, Doubt::Diagnosed { better: Some(by), .. }
                if matches!(&**by, Explanation::Split { feature: Some(feature), .. } if feature == "sorted"));
            assert!(by, "{doubt:?}");
        }
    }

    #[test]
    fn trends_that_nothing_tells_apart_are_still_two() {
        let findings = study(|n| 1000.0 * n, |n| 3000.0 * n, false);
        let split = findings.total.fits.models[0].split.as_ref().unwrap();
        assert_eq!((split.told_apart_by.as_deref(), split.rule.as_deref()), (None, None));
        assert_eq!(split.trends.iter().map(|t| t.workloads.len()).collect::<Vec<_>>(), [16, 16]);
    }

    #[test]
    fn one_trend_is_no_split() {
        let findings = study(|n| 1000.0 * n, |n| 1000.0 * n, true);
        assert!(findings.total.fits.models.iter().all(|model| model.split.is_none()));
    }
}
