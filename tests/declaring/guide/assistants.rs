//! What those read who write with an assistant: a list of the guide, rules, and programs.

use std::{env, fs};

use crate::layers::map;

const PAGES: &str = "https://docs.rs/toolwright/latest/toolwright";

/// The list of pages for assistants, from the table of the crate page and the titles of the pages.
fn list() -> String {
    let root = map::root();
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("it is there");
    let intro = "# toolwright\n\n> Typed Rust functions as tools that a language model can call, and a loop that runs them.\n\n\
        Each page is also a file of the package, `src/guide/<name>.md`, with code that compiles. `SKILL.md` has the rules for\n\
        those who write with an assistant.\n\n## Guide\n\n";
    let crate_page = read("src/lib.rs");
    let rows = crate_page.lines().filter(|line| line.contains("](guide::"));
    let rows = rows.map(|row| {
        let cells: Vec<_> = row.split('|').map(str::trim).collect();
        let name = cells[2].split('`').nth(1).expect("it names its page");
        let page = read(&format!("src/guide/{name}.md"));
        let title = page.lines().next().and_then(|line| line.strip_prefix("# "));
        let title = title.expect("a page begins with its title");
        let link = format!("{PAGES}/guide/{name}/index.html");
        format!("- [{title}]({link}): {}\n", cells[1])
    });
    let rows: Vec<_> = rows.collect();
    let rest = format!(
        "\n## Reference\n\n- [All items]({PAGES}/all.html): structs, traits, macros, functions\n\
        - [Features]({PAGES}/index.html#features): what each feature of the package adds\n\
        - [Changelog](https://docs.rs/crate/toolwright/latest/source/CHANGELOG.md): what each version has\n"
    );
    [intro.to_owned(), rows.concat(), rest].concat()
}

#[test]
fn the_list_for_assistants_has_every_page() {
    let path = map::root().join("llms.txt");
    if env::var_os("TOOLWRIGHT_UPDATE").is_some() && env::var_os("CI").is_none() {
        fs::write(&path, list()).expect("it can be written");
    }
    let written = fs::read_to_string(path).expect("it is there");
    assert!(written == list(), "write it with TOOLWRIGHT_UPDATE=1");
}

/// An assistant that loads it pays for each line.
#[test]
fn the_rules_for_assistants_are_short_and_list_every_task() {
    let root = map::root();
    let skill = fs::read_to_string(root.join("SKILL.md")).expect("it is there");
    let tasks = fs::read_to_string(root.join("src/guide/tasks.md")).expect("it is there");
    assert!(skill.lines().count() < 500);
    let (_, listed) = skill.split_once("\n## Tasks\n").expect("it lists tasks");
    let listed: Vec<_> = listed.lines().filter(|line| line.contains(". ")).collect();
    let headings = tasks.lines().filter_map(|line| line.strip_prefix("## "));
    let headings: Vec<_> = headings.collect();
    assert_eq!(headings.len(), 20);
    assert!(listed.starts_with(&headings), "{listed:#?}");
    // The program that it shows is that of the first task.
    let program = |text: &str, fence: &str| {
        let (_, program) = text.rsplit_once(fence).expect("it has a program");
        program.split("```").next().map(str::to_owned)
    };
    let (first, _) = tasks.split_once("\n## 2.").expect("it has a second task");
    assert_eq!(
        program(&skill, "```rust,no_run\n"),
        program(first, "```no_run\n")
    );
    for (path, _) in skill.match_indices("](src/") {
        let path = skill[path + 2..].split(')').next().expect("it ends");
        assert!(root.join(path).exists(), "{path}");
    }
}
