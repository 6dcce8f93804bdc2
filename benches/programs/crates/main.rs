use std::fmt::Write;

fn json(n: usize) -> usize {
    let mut text = String::from("[");
    for i in 0..n {
        let comma = if i > 0 { "," } else { "" };
        write!(text, r#"{comma}{{"id":{i},"name":"item number {i}","tags":["a","b{}"],"price":{}.5,"ok":true}}"#, i % 7, i % 1000).unwrap();
    }
    text.push(']');
    let mut sum = 0;
    for _ in 0..5 {
        let value: serde_json::Value = serde_json::from_str(&text).unwrap();
        sum += value.as_array().unwrap().iter().map(|v| v["tags"].as_array().unwrap().len()).sum::<usize>();
        sum += value.to_string().len();
    }
    sum
}

fn markdown(n: usize) -> usize {
    let mut text = String::new();
    for i in 0..n {
        write!(text, "# Head {i}\n\nSome *text* with `code` and a [link](http://x/{i}).\n\n- item one\n- item **two**\n\n> quote\n\n").unwrap();
    }
    let mut sum = 0;
    for _ in 0..5 {
        let mut html = String::new();
        pulldown_cmark::html::push_html(&mut html, pulldown_cmark::Parser::new(&text));
        sum += html.len();
    }
    sum
}

fn regex(n: usize) -> usize {
    let mut text = String::new();
    for i in 0..n {
        writeln!(text, "user{i}@example{}.com, 2024-0{}-1{} some words here", i % 13, i % 9 + 1, i % 9).unwrap();
    }
    let mails = regex::Regex::new(r"(\w+)@(\w+)\.com").unwrap();
    let dates = regex::Regex::new(r"(\d{4})-(\d{2})-(\d{2})").unwrap();
    let found = mails.captures_iter(&text).map(|c| c[1].len()).sum::<usize>();
    found + dates.captures_iter(&text).map(|c| c[3].len()).sum::<usize>() + dates.replace_all(&text, "$3/$2/$1").len()
}

/// Text that repeats itself now and then.
fn words(n: usize) -> String {
    let (mut text, mut x) = (String::new(), 1_u32);
    while text.len() < n {
        x = x.wrapping_mul(1664525).wrapping_add(1013904223);
        write!(text, "{} ", ["alpha", "beta", "gamma", "delta", "epsilon"][(x >> 16) as usize % 5]).unwrap();
        if x >> 28 == 0 {
            write!(text, "{x}\n").unwrap();
        }
    }
    text
}

fn deflate(n: usize) -> usize {
    let text = words(n);
    let packed = miniz_oxide::deflate::compress_to_vec(text.as_bytes(), 6);
    let unpacked = miniz_oxide::inflate::decompress_to_vec(&packed).unwrap();
    assert_eq!(unpacked, text.as_bytes());
    packed.len()
}

fn lz4(n: usize) -> usize {
    let text = words(n);
    let mut sum = 0;
    for _ in 0..5 {
        let packed = lz4_flex::block::compress_prepend_size(text.as_bytes());
        sum += packed.len() + lz4_flex::block::decompress_size_prepended(&packed).unwrap().len();
    }
    sum
}

fn toml(n: usize) -> usize {
    let mut text = String::new();
    for i in 0..n {
        write!(text, "[table{i}]\nname = \"item {i}\"\nvalues = [1, 2, {i}]\nprice = {i}.5\nwhen = 2024-01-02\n\n").unwrap();
    }
    let value: toml::Table = toml::from_str(&text).unwrap();
    value.len() + toml::to_string(&value).unwrap().len()
}

fn csv(n: usize) -> usize {
    let mut text = String::from("id,name,price\n");
    for i in 0..n {
        writeln!(text, "{i},\"name, {}\",{}.25", i % 97, i % 1000).unwrap();
    }
    let mut sum = 0;
    for _ in 0..5 {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        for record in reader.records() {
            let record = record.unwrap();
            sum += record[1].len() + record[2].parse::<f64>().unwrap() as usize;
        }
    }
    sum
}

fn graph(n: usize) -> usize {
    let mut graph = petgraph::graph::DiGraph::<u32, u32>::new();
    let nodes: Vec<_> = (0..n).map(|i| graph.add_node(i as u32)).collect();
    let mut x = 1_u32;
    for i in 0..5 * n {
        x = x.wrapping_mul(1664525).wrapping_add(1013904223);
        graph.add_edge(nodes[i % n], nodes[(x >> 8) as usize % n], x >> 24);
    }
    let far = petgraph::algo::dijkstra(&graph, nodes[0], None, |edge| *edge.weight());
    far.len() + petgraph::algo::kosaraju_scc(&graph).len()
}

fn sha2(n: usize) -> usize {
    use sha2::Digest;
    let text = words(n);
    let digest = sha2::Sha256::digest(text.as_bytes());
    digest[0] as usize
}

fn matrix(n: usize) -> usize {
    let a = ndarray::Array2::from_shape_fn((n, n), |(i, j)| (i * 7 + j) as f64 % 13.0);
    let b = ndarray::Array2::from_shape_fn((n, n), |(i, j)| (i + j * 5) as f64 % 11.0);
    let c = a.dot(&b) + &a * 2.0;
    c.sum() as usize
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let n = words[2].parse().unwrap();
    println!("{}", match &*words[1] { "json" => json(n), "markdown" => markdown(n), "regex" => regex(n), "deflate" => deflate(n),
        "lz4" => lz4(n), "toml" => toml(n), "csv" => csv(n), "graph" => graph(n), "sha2" => sha2(n), _ => matrix(n) });
}
