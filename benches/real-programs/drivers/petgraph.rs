//! Reads numbers, one per line, builds a graph from them, and searches shortest paths, components and a spanning tree.

use petgraph::algo::{bellman_ford, dijkstra, kosaraju_scc, min_spanning_tree, page_rank, toposort};
use petgraph::graph::DiGraph;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    let numbers: Vec<usize> = text.lines().map(|line| line.parse().expect("a number")).collect();
    let n = numbers.len();
    let (mut graph, mut acyclic) = (DiGraph::<(), f32>::new(), DiGraph::<(), ()>::new());
    let nodes: Vec<_> = (0..n).map(|_| graph.add_node(())).collect();
    let copies: Vec<_> = (0..n).map(|_| acyclic.add_node(())).collect();
    for (i, number) in numbers.iter().enumerate() {
        for j in [i / 2, number % n, number * 7 % n] {
            graph.add_edge(nodes[i], nodes[j], (number % 100) as f32);
            if i < j {
                acyclic.add_edge(copies[i], copies[j], ());
            }
        }
    }
    println!("{}", dijkstra(&graph, nodes[0], None, |edge| *edge.weight()).len());
    println!("{}", kosaraju_scc(&graph).len());
    println!("{}", min_spanning_tree(&graph).count());
    println!("{}", toposort(&acyclic, None).expect("no cycle").len());
    println!("{}", page_rank(&graph, 0.85_f32, 3).len());
    println!("{}", bellman_ford(&graph, nodes[0]).is_ok());
}
