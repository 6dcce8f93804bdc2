//! Checks the documentation: links lead to files and headings that exist, and the book lists every chapter.

use std::collections::BTreeSet;
use std::fs;
use std::ops::Range;
use std::path::{Component, Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::bench;

/// Addresses of the repository's files. Chapters use them for files that are not part of the book.
const FILES: &str = "https://github.com/trend-prof/trend-prof/blob/main/";

/// The links and the headings of a Markdown file.
#[derive(Default)]
struct Page {
    /// The targets of links and pictures, each with its 1-based line.
    links: Vec<(usize, String)>,
    /// The anchors of headings, as GitHub and mdBook form them.
    anchors: BTreeSet<String>,
}

impl Page {
    fn read(path: &Path) -> Self {
        Self::parse(&fs::read_to_string(path).unwrap())
    }

    fn parse(text: &str) -> Self {
        let mut page = Self::default();
        let mut heading: Option<String> = None;
        for (event, Range { start, .. }) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = || text[..start].matches('\n').count() + 1;
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push((line(), dest_url.into_string()));
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    page.links.extend(sources(&html).map(|source| (line(), source)));
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => page.add_anchor(&heading.take().unwrap_or_default()),
                Event::Text(text) | Event::Code(text) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                _ => {}
            }
        }
        page
    }

    fn add_anchor(&mut self, heading: &str) {
        let kept = heading.to_lowercase().replace(' ', "-");
        let anchor: String = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect();
        let numbered = (1..).map(|number| format!("{anchor}-{number}"));
        let free = std::iter::once(anchor.clone()).chain(numbered).find(|a| !self.anchors.contains(a));
        self.anchors.extend(free);
    }
}

/// Returns the files that pictures in HTML name.
fn sources(html: &str) -> impl Iterator<Item = String> {
    let attributes = html.split("src=\"").skip(1).chain(html.split("srcset=\"").skip(1));
    attributes.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()))
}

/// Returns the folder of the repository, without `..`.
fn repository() -> PathBuf {
    fs::canonicalize(bench::repository()).unwrap()
}

/// Returns the Markdown files below a folder. Build products are left out.
fn markdown_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && !path.ends_with("target") {
            files.extend(markdown_below(&path));
        } else if path.extension().is_some_and(|extension| extension == "md") {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Returns the reason why a link of a file leads nowhere.
fn fault(file: &Path, link: &str) -> Option<String> {
    let root = repository();
    let (path, anchor) = match link.strip_prefix(FILES) {
        Some(in_repository) => split(&root, in_repository),
        None if link.contains("://") => return None,
        None if link.starts_with('#') => (file.to_owned(), Some(link[1..].to_owned())),
        None => split(file.parent().unwrap(), link),
    };
    if !path.exists() {
        return Some("no such file".to_owned());
    }
    let docs = root.join("docs");
    if file.starts_with(&docs) && !path.starts_with(&docs) && !link.starts_with(FILES) {
        return Some(format!("not part of the book: link to {FILES}…"));
    }
    let anchor = anchor?;
    (!Page::read(&path).anchors.contains(&anchor)).then(|| "no such heading".to_owned())
}

/// Splits a link into the file and the anchor.
fn split(folder: &Path, link: &str) -> (PathBuf, Option<String>) {
    let (path, anchor) = match link.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor.to_owned())),
        None => (link, None),
    };
    let mut joined = PathBuf::new();
    for part in folder.join(path).components() {
        if part == Component::ParentDir {
            joined.pop();
        } else {
            joined.push(part);
        }
    }
    (joined, anchor)
}

#[test]
fn every_link_leads_to_a_file_and_a_heading() {
    let root = repository();
    let mut files: Vec<PathBuf> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md"].map(|name| root.join(name)).into();
    for folder in ["docs", "benches", "examples"] {
        files.extend(markdown_below(&root.join(folder)));
    }
    let mut faults = Vec::new();
    let mut checked = 0;
    for file in &files {
        for (line, link) in Page::read(file).links {
            checked += 1;
            let name = file.strip_prefix(&root).unwrap().display();
            faults.extend(fault(file, &link).map(|what| format!("{name}:{line}: {link}: {what}")));
        }
    }
    assert!(checked > 200, "only {checked} links were found");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_summary_lists_every_chapter() {
    let docs = repository().join("docs");
    let summary = docs.join("SUMMARY.md");
    let listed: BTreeSet<PathBuf> =
        Page::read(&summary).links.into_iter().map(|(_, link)| docs.join(link)).collect();
    let chapters: BTreeSet<PathBuf> =
        markdown_below(&docs).into_iter().filter(|path| *path != summary).collect();
    assert_eq!(listed, chapters);
}

#[test]
fn a_link_to_a_missing_file_or_heading_is_a_fault() {
    let readme = repository().join("README.md");
    let chapter = repository().join("docs/check.md");
    assert_eq!(fault(&readme, "docs/none.md").unwrap(), "no such file");
    assert_eq!(fault(&readme, "docs/check.md#none").unwrap(), "no such heading");
    assert_eq!(fault(&readme, "docs/check.md#a-test-in-rust"), None);
    assert_eq!(fault(&chapter, "#a-test-in-rust"), None);
    assert_eq!(fault(&chapter, &format!("{FILES}cmake/None.cmake")).unwrap(), "no such file");
    assert!(fault(&chapter, "../README.md").unwrap().starts_with("not part of the book"));
}

#[test]
fn anchors_are_those_of_github_and_mdbook() {
    let page = Page::parse("# The `run` of *n*: 95 %\n\n## Limits\n\n## Limits\n\n<img src=\"a.png\">");
    let anchors: Vec<&str> = page.anchors.iter().map(String::as_str).collect();
    assert_eq!(anchors, ["limits", "limits-1", "the-run-of-n-95-"]);
    assert_eq!(page.links, [(7, "a.png".to_owned())]);
}
