//! The order of the guide's pages: `src/guide.rs` lists them, each links the next one and the one before, and the
//! table of the crate page has all.

use std::{fs, path::Path};

const LIST: &str = include_str!("../../../src/guide.rs");
const CRATE: &str = include_str!("../../../src/lib.rs");

struct Page {
    name: &'static str,
    title: String,
    text: String,
}

impl Page {
    fn link(&self) -> String {
        format!("[{}](crate::guide::{})", self.title, self.name)
    }
}

fn pages() -> Vec<Page> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/guide");
    let names = LIST.lines().filter_map(|line| {
        line.strip_prefix("pub mod ")
            .and_then(|line| line.strip_suffix(" {}"))
    });
    let pages = names.map(|name| {
        let text = fs::read_to_string(folder.join(format!("{name}.md"))).expect("is there");
        let title = text.lines().next().and_then(|line| line.strip_prefix("# "));
        let title = title.expect("a page begins with its title").to_owned();
        Page { name, title, text }
    });
    pages.collect()
}

#[test]
fn every_page_links_its_neighbours_by_their_titles() {
    let pages = pages();
    let mut wrong = Vec::new();
    for (at, page) in pages.iter().enumerate() {
        let next = pages
            .get(at + 1)
            .map(|next| format!("Next: {}.", next.link()));
        let before = at.checked_sub(1).map(|before| &pages[before]);
        let before = before.map(|before| format!("Previous: {}.", before.link()));
        let links: Vec<_> = next.into_iter().chain(before).collect();
        let line = links.join(" ");
        if !page.text.contains(&format!("\n---\n\n{line}\n")) {
            wrong.push(format!("{}.md: {line}", page.name));
        }
    }
    assert!(wrong.is_empty(), "write after `---`:\n{}", wrong.join("\n"));
}

/// The side bar, a link and the page itself show one name.
#[test]
fn a_title_begins_with_the_name_of_its_page() {
    for page in pages() {
        let words = page.name.replace('_', " ");
        let title = page.title.to_lowercase();
        let rest = title.strip_prefix(&words);
        let whole = rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        assert!(whole, "{}.md: {}", page.name, page.title);
    }
}

#[test]
fn the_crate_page_lists_the_pages_in_their_order() {
    let rows = CRATE.lines().filter_map(|line| {
        let (_, link) = line.strip_prefix("//! | ")?.split_once("](guide::")?;
        link.split_once(')').map(|(name, _)| name)
    });
    let names: Vec<_> = pages().iter().map(|page| page.name).collect();
    assert_eq!(rows.collect::<Vec<_>>(), names);
}
