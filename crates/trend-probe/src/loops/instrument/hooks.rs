//! Functions that watched loops call. They are declared before optimization. Afterwards they get bodies, which are
//! inlined.

use std::fmt::Write as _;

use trend_runtime::loop_record::MOST_INPUTS;

use crate::ir::builder::Builder;
use crate::ir::value::Value;

/// Value of the attribute `memory(inaccessiblemem: readwrite)`.
const INACCESSIBLE: u64 = 0b1100;

const NAMES: [&str; MOST_INPUTS] = ["a", "b", "c", "d"];

/// Declarations of the functions that watched loops call.
pub(crate) struct Hooks {
    pub(crate) start: Value,
    pub(crate) inner: Value,
    exits: Vec<[Value; 2]>,
    groups: Vec<[Value; 2]>,
}

impl Hooks {
    pub(crate) fn declare(builder: &Builder) -> Self {
        let (pointer, long) = (builder.pointer(), builder.int64());
        let hook = |value: Value| {
            value.add_attribute("memory", INACCESSIBLE);
            value.add_attribute("nounwind", 0);
            // They lack `willreturn`: otherwise, loops that only fill memory that is never read would be removed with
            // the calls.
            value
        };
        let returning = |name: String, longs: usize| {
            let parameters = [vec![pointer], vec![long; longs]].concat();
            hook(builder.declare_returning(pointer, &name, &parameters))
        };
        let all = |kind: &str, longs: usize| {
            let of = |inputs: usize| [false, true].map(|cost| returning(name(kind, inputs, cost), longs));
            (0..=MOST_INPUTS).map(of).collect()
        };
        Self {
            start: hook(builder.declare("trend.loop.start", &[pointer])),
            inner: hook(builder.declare("trend.loop.inner", &[pointer, long, long])),
            exits: all("exit", 2 + MOST_INPUTS),
            groups: all("exits", 7 + MOST_INPUTS),
        }
    }

    /// Returns the function that is called at the end of one activation. Its arguments are the loop, its trips, its
    /// cost, and the inputs. It returns the entry.
    pub(crate) fn exit(&self, inputs: usize, has_cost: bool) -> Value {
        self.exits[inputs][usize::from(has_cost)]
    }

    /// Returns the function for several activations with the same inputs. Its arguments are the loop; the number of
    /// activations; the fewest, most and total trips; the least, greatest and total cost; the inputs.
    pub(crate) fn exits(&self, inputs: usize, has_cost: bool) -> Value {
        self.groups[inputs][usize::from(has_cost)]
    }

    /// Returns the source of the hooks, with exits for each number of inputs.
    pub(crate) fn source() -> String {
        let mut text = include_str!("loops.ll").to_owned();
        for inputs in 0..=MOST_INPUTS {
            for has_cost in [false, true] {
                text += &exit(inputs, has_cost);
                text += &exits(inputs, has_cost);
            }
        }
        text
    }
}

fn name(kind: &str, inputs: usize, has_cost: bool) -> String {
    format!("trend.loop.{kind}.{inputs}{}", if has_cost { ".cost" } else { "" })
}

/// Returns the hook for the end of an activation. It skips the activation, or adds it to the last entry if that has its
/// inputs. Otherwise, it calls the runtime.
fn exit(inputs: usize, has_cost: bool) -> String {
    let add_cost = if has_cost {
        "  call void @trend.loop.add.cost(ptr %entry, i64 %cost, i64 %cost, i64 %cost)\n"
    } else {
        ""
    };
    format!(
        "define hidden ptr @{}(ptr %loop, i64 %trips, i64 %cost, i64 %a, i64 %b, i64 %c, i64 %d) alwaysinline nounwind {{
  %table = call ptr @trend.loop.table(ptr %loop)
  %countdown.at = getelementptr %Table, ptr %table, i64 0, i32 1
  %countdown = load i64, ptr %countdown.at
  %left = sub i64 %countdown, 1
  %is.skipped = icmp sgt i64 %left, 0
  br i1 %is.skipped, label %skip, label %kept
kept:
  %are.all.kept = icmp slt i64 %left, 0
  br i1 %are.all.kept, label %compare, label %other
skip:
  store i64 %left, ptr %countdown.at
  %sum.at = getelementptr %Table, ptr %table, i64 0, i32 3
  %sum = load i64, ptr %sum.at
  %sum.new = add i64 %sum, %trips
  store i64 %sum.new, ptr %sum.at
  %least.at = getelementptr %Table, ptr %table, i64 0, i32 4
  %least = load i64, ptr %least.at
  %range.at = getelementptr %Table, ptr %table, i64 0, i32 5
  %range = load i64, ptr %range.at
  %more = sub i64 %trips, %least
  %is.extreme = icmp ugt i64 %more, %range
  br i1 %is.extreme, label %extreme, label %done, !prof !0
extreme:
  call preserve_mostcc void @trend.loop.extreme(ptr %table, i64 %trips, i64 %a, i64 %b, i64 %c, i64 %d)
  br label %done
compare:
{}other:
  %missed = call preserve_mostcc ptr @trend.loop.missed(ptr %table, i64 %trips, i64 %cost, i64 %a, i64 %b, i64 %c, i64 %d)
  br label %done
same:
  call void @trend.loop.add(ptr %entry, i64 1, i64 %trips, i64 %trips, i64 %trips)
{add_cost}  br label %done
done:
  %found = phi ptr [ %entry, %same ], [ %missed, %other ], [ @trend_probe_loops_3_nowhere, %skip ], [ @trend_probe_loops_3_nowhere, %extreme ]
  ret ptr %found
}}\n",
        name("exit", inputs, has_cost),
        compared(inputs)
    )
}

/// Returns the hook for the end of several activations with the same inputs.
fn exits(inputs: usize, has_cost: bool) -> String {
    let add_cost = if has_cost {
        "  call void @trend.loop.add.cost(ptr %entry, i64 %cost.least, i64 %cost.greatest, i64 %cost.sum)\n"
    } else {
        ""
    };
    let sums =
        "i64 %count, i64 %least, i64 %greatest, i64 %sum, i64 %cost.least, i64 %cost.greatest, i64 %cost.sum";
    format!(
        "define hidden ptr @{}(ptr %loop, {sums}, i64 %a, i64 %b, i64 %c, i64 %d) alwaysinline nounwind {{
start:
  %group = alloca %Group
  %is.none = icmp eq i64 %count, 0
  br i1 %is.none, label %none, label %begin
none:
  ret ptr @trend_probe_loops_3_nowhere
begin:
  %table = call ptr @trend.loop.table(ptr %loop)
{}other:
  call void @trend.loop.group(ptr %group, {sums}, i64 %a, i64 %b, i64 %c, i64 %d)
  %missed = call preserve_mostcc ptr @trend.loop.regrouped(ptr %table, ptr %group)
  br label %done
same:
  call void @trend.loop.add(ptr %entry, i64 %count, i64 %least, i64 %greatest, i64 %sum)
{add_cost}  br label %done
done:
  %found = phi ptr [ %entry, %same ], [ %missed, %other ]
  ret ptr %found
}}\n",
        name("exits", inputs, has_cost),
        compared(inputs)
    )
}

/// Returns code that branches to `same` if the last entry has the inputs, and to `other` otherwise.
fn compared(inputs: usize) -> String {
    let mut text = "  %entry = load ptr, ptr %table\n  %same.0 = icmp eq i64 0, 0\n".to_owned();
    for (index, name) in NAMES.into_iter().enumerate().take(inputs) {
        let _ = write!(
            text,
            "  %at.{index} = getelementptr i64, ptr %entry, i64 {index}
  %was.{index} = load i64, ptr %at.{index}
  %is.{index} = icmp eq i64 %was.{index}, %{name}
  %same.{} = and i1 %same.{index}, %is.{index}\n",
            index + 1
        );
    }
    let _ = writeln!(text, "  br i1 %same.{inputs}, label %same, label %other");
    text
}
