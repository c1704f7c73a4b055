//! What the other packages use of `core` beside what that publishes stays little.

use std::{fs, path::Path};

/// The most names that `core::driver` may have.
const DRIVER: usize = 70;

/// The most other items of `core` that are hidden from the documentation.
const HIDDEN: usize = 66;

#[test]
fn the_seam_of_core_is_small() {
    let core = Path::new(env!("CARGO_MANIFEST_DIR")).join("core/src");
    let driver = fs::read_to_string(core.join("driver.rs")).expect("it is there");
    let names = names(&driver);
    println!(
        "core::driver has {} names: {}",
        names.len(),
        names.join(", ")
    );
    assert!(names.len() <= DRIVER, "{} names: {names:?}", names.len());
    assert!(names.len() > 20, "the file is read: {names:?}");
    let hidden = hidden(&core);
    println!("core hides {hidden} other items");
    assert!((30..=HIDDEN).contains(&hidden), "{hidden} hidden items");
}

/// The last word of each path that is published.
fn names(text: &str) -> Vec<String> {
    let code: Vec<_> = text.lines().map(str::trim_start).collect();
    let code = code.into_iter().filter(|line| !line.starts_with("//"));
    let code = code.collect::<Vec<_>>().join("\n");
    let mut names = Vec::new();
    for import in code.split("pub use ").skip(1) {
        let import = import.split(';').next().expect("it has an end");
        let is_end = |char| matches!(char, ',' | '{' | '}');
        let paths = import.split(is_end).map(str::trim);
        // What ends with `::` stands before a brace.
        let paths = paths.filter(|path| !path.is_empty() && !path.ends_with("::"));
        let last = |path: &str| path.rsplit([':', ' ']).next().map(str::to_owned);
        names.extend(paths.filter_map(last));
    }
    names
}

/// The number of items that are marked as hidden, apart from what generated code names.
fn hidden(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("the folder is there");
    let paths = entries.map(|entry| entry.expect("it can be read").path());
    let count = |path: std::path::PathBuf| match path.file_name().and_then(|name| name.to_str()) {
        Some("__private.rs" | "schema") => 0,
        _ if path.is_dir() => hidden(&path),
        _ => {
            let text = fs::read_to_string(&path).expect("it can be read");
            text.matches("#[doc(hidden)]").count()
        }
    };
    paths.map(count).sum()
}
