use std::path::Path;
use std::time::Duration;

use trend_profile::Measure;

use super::command_line::CommandLine;
use super::expectation::{CostLimit, Target};
use super::read;
use super::settings::Config;
use crate::words::error::ConfigError;

fn parse(text: &str) -> Result<Config, ConfigError> {
    Config::parse(text, Path::new("/p/trend-prof.toml"))
}

fn error(text: &str) -> String {
    let error = parse(text).unwrap_err();
    let hint = error.hint().map(|h| format!(" | {h}")).unwrap_or_default();
    format!("{error}{hint}").replace("/p/trend-prof.toml", "F")
}

const FULL: &str = r#"
[program]
build   = ["make", "-j2"]
command = ["./bzip2", "--stdout", "{input}", "{n}"]
timeout = "10m"
stop-after = "5s"
memory = "2GB"
env = { MODE = "{n}", LEVEL = 3 }
exit-codes = [0, 1]

[workloads]
parameters = { n = "60..6000 x3", seed = [1, 2] }
generate = "python3 gen.py {n} '{seed} {{}}'"

[features]
zeta  = "size"
n     = { parameter = "n" }
rows  = { path = 'rows-(\d+)' }
nodes = { stdout = 'nodes=(\d+)' }
edges = { file = "{n}.txt", pattern = 'edges=(\d+)' }
parse = { location = "parse.c:120" }
graph = { input-size = "parse_graph" }
depth = { command = ["./depth", "{input}"] }

[[expect]]
function = "last_node"
growth   = "<= n"
feature  = "bytes"

[[expect]]
program = true
at      = ["bytes=1GB", "n=1e6"]
cost    = "<= 2 G"
seconds = "<= 5 min"
memory  = "<= 2GB"
"#;

#[test]
fn everything_that_can_be_written_is_read() {
    let config = parse(FULL).unwrap();
    assert_eq!(config.folder, Path::new("/p"));
    assert_eq!(config.program.name, "bzip2");
    assert_eq!(config.program.build.as_ref().unwrap(), &["make", "-j2"]);
    assert_eq!(config.program.timeout, Some(Duration::from_mins(10)));
    assert_eq!(config.program.stop_after, Some(Duration::from_secs(5)));
    assert_eq!(config.program.memory_bytes, Some(2_000_000_000));
    let succeeds = |code| config.program.succeeds_with(code);
    assert_eq!([succeeds(0), succeeds(1), succeeds(2)], [true, true, false]);
    assert_eq!(config.workloads.parameters[0].values, ["60", "600", "6000"]);
    assert_eq!(config.workloads.generate.unwrap().len(), 4);
    let names: Vec<&str> = config.features.iter().map(|f| f.name.as_str()).collect();
    assert_eq!(
        names,
        ["zeta", "n", "rows", "nodes", "edges", "parse", "graph", "depth"],
        "in declared order"
    );
    assert_eq!(config.expectations[0].target, Target::Function("last_node".to_owned()));
    assert_eq!(config.expectations[0].config_line, 27);
    assert_eq!(config.expectations[0].features, ["bytes"]);
    let at = vec![("bytes".to_owned(), 1e9), ("n".to_owned(), 1e6)];
    let limits = [(Measure::Counts, 2e9), (Measure::Seconds, 300.0), (Measure::Bytes, 2e9)];
    let limits = limits.map(|(measure, most)| CostLimit { measure, at: at.clone(), most });
    assert_eq!(config.expectations[1].costs, limits);
}

#[test]
fn without_features_the_size_and_the_parameters_but_for_seeds_are_features() {
    let text = "[program]\ncommand = 'p {n} {input}'\n[workloads]\nfiles = '*'\n\
                parameters = { n = [1, 2], seed = [1], mode = ['a'] }";
    let names: Vec<String> = parse(text).unwrap().features.into_iter().map(|f| f.name).collect();
    assert_eq!(names, ["bytes", "n"]);
}

#[test]
fn unknown_keys_name_the_line_and_the_nearest_key() {
    let unknown = error("[program]\ncomand = 'p'\n");
    assert!(unknown.starts_with("F:2: `comand = 'p'`: unknown field `comand`"), "{unknown}");
    assert!(unknown.ends_with(" | did you mean `command`?"), "{unknown}");
    let table = error("[program]\ncommand = 'p'\n[featurs]\n");
    assert!(table.starts_with("F:3: `[featurs]`: unknown field `featurs`"), "{table}");
    assert!(table.ends_with(" | did you mean `features`?"), "{table}");
    let unlike = error("[program]\ncommand='p'\nzzz=1");
    assert!(unlike.starts_with("F:3: `zzz=1`: unknown field `zzz`") && !unlike.contains('|'), "{unlike}");
    let feature = error("[program]\ncommand='p'\n[features]\nn = { stdot = 'a(b)' }");
    assert!(feature.starts_with("F:4: `n = { stdot = 'a(b)' }`: unknown field `stdot`"), "{feature}");
    assert!(feature.ends_with("did you mean `stdout`?"), "{feature}");
}

#[test]
fn wrong_types_name_the_line_and_what_may_stand_there() {
    let number = error("[program]\ncommand = 3\n");
    assert!(number.starts_with("F:2: `command = 3`: expected a string or an array"), "{number}");
    let table = error("program = 3");
    assert!(table.starts_with("F:1: `program = 3`: ") && table.ends_with(" a table"), "{table}");
    assert!(
        error("[program]\ncommand = ['p',\n 3]\n")
            .starts_with("F:2: `command = ['p',`: expected a string or an array")
    );
    let unit = error("[program]\ncommand = 'p'\ntimeout = '10 parsecs'");
    assert!(unit.starts_with("F:3: `timeout = '10 parsecs'`") && unit.contains("such as \"10m\""), "{unit}");
    assert!(error("[program]\ncommand = 'p'\nrepeat = 0").starts_with("F:3: `repeat = 0`: "));
    assert!(error("[program]\ncommand = 'p'\nupdate = 'atomc'").contains("expected `atomic` or `single`"));
    assert!(error("[program\ncommand = 'p'").starts_with("F:1: "));
}

#[test]
fn numbers_keep_the_digits_that_are_written() {
    let text = "[program]\ncommand = 'p'\nenv = { A = 1.50, B = 0x10, C = 1_000 }\n\
                [workloads]\nparameters = { x = [0.10, 1.0, 1e3, 0x10], y = 7 }";
    let config = parse(text).unwrap();
    let values: Vec<&Vec<String>> = config.workloads.parameters.iter().map(|p| &p.values).collect();
    assert_eq!(values, [&["0.10", "1.0", "1000", "16"][..], &["7"][..]]);
    let env: Vec<String> = config.program.env.iter().map(|(_, text)| text.text()).collect();
    assert_eq!(env, ["1.50", "16", "1000"]);
}

#[test]
fn values_that_make_no_sense_are_refused() {
    let with = |rest: &str| {
        error(&format!("[program]\ncommand = 'p {{n}}'\n[workloads]\nparameters = {{ n = [1] }}\n{rest}"))
    };
    assert!(with("[features]\nx = { stdout = 'n=(' }").starts_with("F:6: `x = { stdout = 'n=(' }`: "));
    assert!(with("[features]\nx = { stdout = 'n=' }").contains("has 0 groups"));
    assert!(
        with("[features]\nx = { stdout = '(a)', stderr = '(b)' }")
            .contains("stdout and stderr cannot be combined")
    );
    assert!(with("[features]\nx = { parameter = 'm' }").contains("no parameter `m`"));
    assert!(with("[features]\nx = 'size'").contains("there is no input file"));
    assert!(with("[features]\nx = { location = 'a.c' }").contains("FILE:LINE"));
    assert!(with("[features]\nx = { input-size = '' }").contains("no routine is named"));
    assert!(with("[features]\nx = {}").contains("no known key"));
    assert!(with("files = '[z'").contains("not a file pattern"));
    assert!(with("[[expect]]\ngrowth = '<= n'").contains("no place is named"));
    assert!(
        with("[[expect]]\nfile = 'a.c'\nnew-code = true\ngrowth = 'n'").contains("several places are named")
    );
    assert!(with("[[expect]]\nfile = 'a.c'").contains("no `growth`, `cost`, `seconds` or"));
    assert!(with("[[expect]]\nfile = 'a.c'\ncost = '<= 2 G'").contains("no size is given"));
    assert!(with("[[expect]]\nfile = 'a.c'\nat = 'n=1k'\ncost = '2 G'").contains("not an upper limit"));
    assert!(with("[[expect]]\nfile = 'a.c'\nat = 'n'\ncost = '<= 2 G'").contains("`n` is not a size"));
    assert!(
        with("[[expect]]\nline = 'a.c:1'\nat = 'n=1k'\ncost = '<= 2'")
            .contains("the cost of a line is not predicted")
    );
    assert!(
        with("[[expect]]\nfile = 'a.c'\nat = 'n=1k'\nseconds = '<= 2'")
            .contains("not available for a part of the program")
    );
    assert!(with("[[expect]]\nprogram = true\nat = 'n=1k'\nseconds = '<= 2 G'").contains("unknown unit `G`"));
    assert!(with("[[expect]]\nprogram = true\nmemory = '<= 2G'").contains("no size is given"));
    assert!(error("[program]\ncommand='p'\n[workloads]\nparameters = { n = '1..9' }").contains("F:4"));
    assert!(error("[program]\ncommand='p'\n[workloads]\ngenerate = 'g'").contains("no parameters"));
}

#[test]
fn a_missing_command_and_an_unknown_placeholder_say_what_helps() {
    assert!(error("").contains("`program.command` is missing | write `command ="));
    let unknown = error("[program]\ncommand = 'p {m}'\n[workloads]\nparameters = { n = [1] }");
    assert!(unknown.starts_with("F:2: `program.command`: unknown placeholder `{m}` | "), "{unknown}");
    assert!(unknown.contains(": {n};"), "{unknown}");
}

#[test]
fn the_command_line_makes_a_configuration_without_a_file() {
    let line = CommandLine {
        command: vec!["./sort".into(), "{n}".into()],
        parameters: vec![crate::parse_parameter("n=60..600x2").unwrap()],
        ..CommandLine::default()
    };
    let config = Config::from_command_line(Path::new("/p"), line.clone()).unwrap();
    assert_eq!(config.features[0].name, "n");
    let unknown = CommandLine { command: vec!["./sort".into(), "{m}".into()], ..line.clone() };
    assert_eq!(
        Config::from_command_line(Path::new("/p"), unknown).unwrap_err().to_string(),
        "argument `{m}`: unknown placeholder `{m}`"
    );
    let empty = CommandLine { command: Vec::new(), ..line };
    assert!(Config::from_command_line(Path::new("/p"), empty).unwrap_err().hint().is_some());
}

#[test]
fn expectations_need_no_program() {
    let path = Path::new("/p/F");
    let expectations = read::expectations("[[expect]]\nfunction = 'f'\ngrowth = '<= n'", path).unwrap();
    assert_eq!(expectations[0].target, Target::Function("f".to_owned()));
    assert!(read::expectations("[[expect]]\nfuncton = 'f'", path).unwrap_err().to_string().contains("funct"));
}

#[test]
fn every_key_is_documented() {
    let page = include_str!("../../../../docs/configuration.md");
    let is_documented = |key: &str| page.contains(&format!("`{key}`")) || page.contains(&format!("{key} = "));
    let undocumented: Vec<&str> = read::every_key().into_iter().filter(|key| !is_documented(key)).collect();
    assert!(undocumented.is_empty(), "docs/configuration.md lacks {undocumented:?}");
}
