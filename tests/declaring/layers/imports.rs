//! What the modules of a package import of each other, read from their text.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt, fs,
    path::Path,
};

/// A path, in steps.
pub(super) type Steps = Vec<String>;

/// The modules of a package.
pub(super) struct Package {
    /// The text of each, without comments and tests. The root has no steps.
    pub(super) modules: BTreeMap<Steps, String>,
    /// For each module, where the names come from that it imports of its package.
    names: BTreeMap<Steps, BTreeMap<String, Steps>>,
}

/// An import: a module, and the path that it names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Way {
    pub(super) from: Steps,
    pub(super) to: Steps,
}

impl fmt::Display for Way {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} -> {}", self.from.join("::"), self.to.join("::"))
    }
}

impl Package {
    pub(super) fn read(source: &Path) -> Self {
        let mut package = Self {
            modules: BTreeMap::new(),
            names: BTreeMap::new(),
        };
        package.visit(source, &mut Vec::new());
        assert!(
            package.modules.len() > 5,
            "{} has modules",
            source.display()
        );
        for (module, text) in &package.modules {
            let names = used(text).into_iter().filter_map(|path| {
                let to = package.absolute(module, &path)?;
                Some((to.last()?.clone(), to))
            });
            package.names.insert(module.clone(), names.collect());
        }
        package
    }

    fn visit(&mut self, folder: &Path, module: &mut Vec<String>) {
        for entry in fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("it can be read").path();
            let name = path.file_stem().expect("it has a name");
            let name = name.to_str().expect("it is text").to_owned();
            if name.starts_with("tests") {
                continue;
            }
            let is_root = name == "lib" && module.is_empty();
            if !is_root {
                module.push(name);
            }
            if path.is_dir() {
                self.visit(&path, module);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).expect("it can be read");
                self.modules.insert(module.clone(), without_tests(&text));
            }
            if !is_root {
                module.pop();
            }
        }
    }

    /// All imports within the package, apart from those of its root.
    pub(super) fn ways(&self) -> BTreeSet<Way> {
        let mut ways = BTreeSet::new();
        for (module, text) in &self.modules {
            if module.is_empty() {
                continue;
            }
            for path in used(text).into_iter().chain(named(text)) {
                // What a module takes of those below it is its own.
                let is_below = !matches!(path[0].as_str(), "crate" | "self" | "super");
                if !is_below && let Some(to) = self.resolved(module, &path) {
                    let from = module.clone();
                    ways.insert(Way { from, to });
                }
            }
        }
        ways
    }

    /// Where a path leads that a module names, through all re-exports; `None` for one into another package.
    pub(super) fn resolved(&self, module: &[String], path: &[String]) -> Option<Steps> {
        let mut to = self.absolute(module, path)?;
        let mut seen = BTreeSet::new();
        while seen.insert(to.clone()) {
            let inside = |at: &usize| self.names.contains_key(&to[..*at]);
            let at = (0..to.len()).rev().find(inside)?;
            let is_module = self.names.contains_key(&to[..=at]);
            if !is_module && let Some(source) = self.names[&to[..at]].get(&to[at]) {
                to = source.iter().chain(&to[at + 1..]).cloned().collect();
            }
        }
        Some(to)
    }

    /// A path from the root; `None` for one into another package.
    fn absolute(&self, module: &[String], path: &[String]) -> Option<Steps> {
        let mut to = match path.first()?.as_str() {
            "crate" => Vec::new(),
            "self" | "super" => module.to_vec(),
            first => {
                let mut below = module.to_vec();
                below.push(first.to_owned());
                if !self.modules.contains_key(&below) {
                    return None;
                }
                module.to_vec()
            }
        };
        for step in path {
            match step.as_str() {
                "crate" | "self" => {}
                "super" => {
                    to.pop()?;
                }
                step => to.push(step.to_owned()),
            }
        }
        (!to.is_empty()).then_some(to)
    }

    /// The two modules of one folder between which an import leads, with the folder.
    pub(super) fn beside(&self, way: &Way) -> Option<(Steps, String, String)> {
        let shared = way.from.iter().zip(&way.to);
        let shared = shared.take_while(|(one, other)| one == other).count();
        let (one, other) = (way.from.get(shared)?, way.to.get(shared)?);
        let is_module = self.modules.contains_key(&way.to[..=shared]);
        is_module.then(|| (way.from[..shared].to_vec(), one.clone(), other.clone()))
    }
}

/// The text of a module without its comments and its tests.
fn without_tests(text: &str) -> String {
    let mut code = String::new();
    let mut in_tests = false;
    for line in text.lines() {
        in_tests |= line.starts_with("mod tests {");
        if !in_tests {
            code.push_str(line.split("//").next().unwrap_or_default());
            code.push('\n');
        }
        in_tests &= line != "}";
    }
    code
}

/// The paths of the `use` items of a text.
pub(super) fn used(text: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for item in text.split(';') {
        let item = item.rsplit_once('}').map_or(item, |(before, after)| {
            // The braces of the item itself are kept.
            if before.contains("use ") && after.trim().is_empty() {
                item
            } else {
                after
            }
        });
        let starts = item.find("use ").filter(|&at| {
            let before = item[..at].trim_end();
            before.is_empty() || before.ends_with([']', ')', '}']) || before.ends_with("pub")
        });
        if let Some(at) = starts {
            tree(&item[at + "use ".len()..], &[], &mut paths);
        }
    }
    paths
}

/// Takes a tree of imports apart.
fn tree(text: &str, before: &[String], paths: &mut Vec<Vec<String>>) {
    let text = text.trim();
    let (path, inner) = match text.split_once('{') {
        Some((path, inner)) => (path, inner.strip_suffix('}')),
        None => (text, None),
    };
    let path = path.split(" as ").next().unwrap_or_default();
    let steps = path
        .split("::")
        .map(str::trim)
        .filter(|step| !step.is_empty());
    let mut whole = before.to_vec();
    whole.extend(steps.map(str::to_owned));
    let Some(inner) = inner else {
        paths.push(whole);
        return;
    };
    let (mut depth, mut start) = (0_usize, 0);
    for (at, char) in inner.char_indices() {
        match char {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                tree(&inner[start..at], &whole, paths);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inner[start..].trim().is_empty() {
        tree(&inner[start..], &whole, paths);
    }
}

/// The paths that code names without importing them.
fn named(text: &str) -> Vec<Vec<String>> {
    let mut paths = Vec::new();
    for start in ["crate::", "super::"] {
        for (at, _) in text.match_indices(start) {
            let is_inside = text[..at]
                .ends_with(|char: char| char.is_alphanumeric() || matches!(char, '_' | ':' | '$'));
            let end = text[at..]
                .find(|char: char| !(char.is_alphanumeric() || matches!(char, '_' | ':')));
            let path = &text[at..end.map_or(text.len(), |end| at + end)];
            if !is_inside {
                let steps = path.split("::").filter(|step| !step.is_empty());
                paths.push(steps.map(str::to_owned).collect());
            }
        }
    }
    paths
}
