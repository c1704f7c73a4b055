//! Where the `impl`s of a type stand.

use std::collections::{BTreeMap, BTreeSet};

use super::imports::{Package, Steps, used};

/// An `impl` that stands neither in the folder of its type nor in that of its trait.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Away {
    pub(super) module: Steps,
    /// The module and the name of the type.
    pub(super) of: Steps,
}

/// Those of a package. The folder of a type is the module that defines it, with all modules below.
pub(super) fn away(package: &Package) -> BTreeSet<Away> {
    let defined: BTreeSet<Steps> = package
        .modules
        .iter()
        .flat_map(|(module, text)| {
            definitions(text).map(move |name| module.iter().cloned().chain([name]).collect())
        })
        .collect();
    let mut away = BTreeSet::new();
    for (module, text) in &package.modules {
        let imports = used(text).into_iter();
        let imports: BTreeMap<_, _> = imports
            .filter_map(|path| Some((path.last()?.clone(), path)))
            .collect();
        // The item that a path names, if it is one of this package.
        let home = |path: &str| -> Option<Steps> {
            let steps: Steps = path.split("::").map(str::to_owned).collect();
            let beside: Steps = module.iter().chain(&steps).cloned().collect();
            let found = if let Some(import) = imports.get(&steps[0]) {
                let whole: Steps = import.iter().chain(&steps[1..]).cloned().collect();
                package.resolved(module, &whole)?
            } else if defined.contains(&beside) {
                beside
            } else {
                package.resolved(module, &steps)?
            };
            defined.contains(&found).then_some(found)
        };
        for (of_trait, of_type) in impls(text) {
            let is_below = |home: &Steps| module.starts_with(&home[..home.len() - 1]);
            let Some(of) = home(&of_type) else {
                continue;
            };
            let of_trait = of_trait.and_then(|path| home(&path));
            if !is_below(&of) && !of_trait.as_ref().is_some_and(is_below) {
                let module = module.clone();
                away.insert(Away { module, of });
            }
        }
    }
    away
}

/// The names of the types and traits that a text defines.
fn definitions(text: &str) -> impl Iterator<Item = String> {
    text.lines().filter_map(|line| {
        let mut words = without_visibility(line.trim()).split_whitespace();
        matches!(words.next()?, "struct" | "enum" | "union" | "trait").then_some(())?;
        Some(name(words.next()?).to_owned()).filter(|name| !name.is_empty())
    })
}

fn without_visibility(line: &str) -> &str {
    let Some(rest) = line.strip_prefix("pub") else {
        return line;
    };
    match rest.strip_prefix('(') {
        Some(inner) => inner.split_once(')').map_or("", |(_, rest)| rest),
        None => rest,
    }
}

/// The trait, if there is one, and the type of each `impl` of a text, as paths without generics.
fn impls(text: &str) -> Vec<(Option<String>, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find("impl") {
        let line = rest[..at].rsplit('\n').next().unwrap_or_default();
        let is_item = line.trim().is_empty();
        rest = &rest[at + "impl".len()..];
        if !is_item || !rest.starts_with(['<', ' ', '\n']) {
            continue;
        }
        let Some((header, _)) = rest.split_once('{') else {
            break;
        };
        let header = header.split_whitespace().collect::<Vec<_>>().join(" ");
        let header = header.split(" where ").next().unwrap_or_default();
        // Without `impl<…>` and what stands in other brackets.
        let flat = without_generics(header);
        let (of_trait, of_type) = match flat.split_once(" for ") {
            Some((of_trait, of_type)) => (Some(path(of_trait)), path(of_type)),
            None => (None, path(&flat)),
        };
        if !of_type.is_empty() {
            found.push((of_trait, of_type));
        }
    }
    found
}

fn without_generics(header: &str) -> String {
    let mut depth = 0_usize;
    let mut before = ' ';
    let mut flat = String::new();
    for char in header.chars() {
        match char {
            '<' => depth += 1,
            '>' if before != '-' => depth = depth.saturating_sub(1),
            _ if depth == 0 => flat.push(char),
            _ => {}
        }
        before = char;
    }
    flat
}

/// The path that a type begins with, without references.
fn path(of_type: &str) -> String {
    let words = of_type.trim().trim_start_matches('&').split_whitespace();
    let mut words = words.filter(|word| !word.starts_with('\'') && !matches!(*word, "mut" | "dyn"));
    let word = words.next().unwrap_or_default();
    let end = word.find(|char: char| !(char.is_alphanumeric() || matches!(char, '_' | ':')));
    word[..end.unwrap_or(word.len())]
        .trim_end_matches(':')
        .to_owned()
}

fn name(word: &str) -> &str {
    let end = word.find(|char: char| !(char.is_alphanumeric() || char == '_'));
    &word[..end.unwrap_or(word.len())]
}

#[test]
fn impls_are_read_with_their_trait() {
    let text = "
impl Plain {}
impl<'a, T: Into<String>> Generic<'a, T> where T: Copy {}
impl<T> From<Vec<T>> for inner::Other<T> {}
impl<F: Fn(u8) -> u8> super::Named for &F {}
fn of(x: impl Copy) {}
";
    let found: Vec<_> = impls(text)
        .into_iter()
        .map(|(of_trait, of_type)| (of_trait.unwrap_or_default(), of_type))
        .collect();
    let expected = [
        ("", "Plain"),
        ("", "Generic"),
        ("From", "inner::Other"),
        ("super::Named", "F"),
    ];
    let expected = expected.map(|(of_trait, of_type)| (of_trait.to_owned(), of_type.to_owned()));
    assert_eq!(found, expected);
    let types = "pub(in crate::a) struct One<T>;\npub enum Two {\nstructure\ntrait Three: Sized {";
    assert_eq!(
        definitions(types).collect::<Vec<_>>(),
        ["One", "Two", "Three"]
    );
}
