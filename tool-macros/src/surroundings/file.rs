//! The file that is expanded. It is read once for all that stands in it: a macro without optimization takes
//! milliseconds for a long one.

use std::{
    cell::{OnceCell, RefCell},
    collections::HashMap,
    path::{Path, PathBuf},
    rc::Rc,
    time::SystemTime,
};

use super::{Holder, holder_in, reader::Reader};

thread_local! {
    static LAST: RefCell<Option<Rc<File>>> = const { RefCell::new(None) };
}

/// A file, and what is known of it.
pub(super) struct File {
    path: PathBuf,
    version: Version,
    pub(super) text: String,
    lines: OnceCell<Vec<usize>>,
    names: OnceCell<HashMap<String, usize>>,
    holders: OnceCell<HashMap<usize, Holder>>,
}

/// Tells one text of a file from a later one: an editor keeps the macros loaded.
type Version = (SystemTime, u64);

impl File {
    /// The file at a path, as it is now.
    pub(super) fn at(path: PathBuf) -> Option<Rc<Self>> {
        let version = version(&path)?;
        LAST.with_borrow_mut(|last| {
            let known = last.as_ref();
            if let Some(known) = known.filter(|file| file.path == path && file.version == version) {
                return Some(Rc::clone(known));
            }
            let text = std::fs::read_to_string(&path).ok()?;
            let file = Rc::new(Self {
                path,
                version,
                ..Self::of(text)
            });
            *last = Some(Rc::clone(&file));
            Some(file)
        })
    }

    fn of(text: String) -> Self {
        Self {
            path: PathBuf::new(),
            version: (SystemTime::UNIX_EPOCH, 0),
            text,
            lines: OnceCell::new(),
            names: OnceCell::new(),
            holders: OnceCell::new(),
        }
    }

    /// The place of a line and a column, both counted from 1.
    pub(super) fn place(&self, line: usize, column: usize) -> Option<usize> {
        let lines = self.lines.get_or_init(|| {
            let ends = self.text.match_indices('\n').map(|(end, _)| end + 1);
            std::iter::once(0).chain(ends).collect()
        });
        let start = *lines.get(line.checked_sub(1)?)?;
        let line = self.text.get(start..)?;
        let (offset, _) = line.char_indices().nth(column.checked_sub(1)?)?;
        Some(start + offset)
    }

    /// Returns the maximum number of items or imports that may have a name. Most names are then known to be free
    /// without further reading.
    pub(super) fn count(&self, name: &str) -> usize {
        let names = self.names.get_or_init(|| names(&self.text));
        names.get(name).copied().unwrap_or_default()
    }

    /// Returns the block directly around the attribute at a place, if that block is only in modules and bodies.
    pub(super) fn holder(&self, place: usize) -> Option<Holder> {
        let holders = self.holders.get_or_init(|| {
            let mut holders = HashMap::new();
            Reader::new(&self.text, 0).read_attributes(|place, open| {
                if let Some(holder) = holder_in(open) {
                    holders.insert(place, holder);
                }
            });
            holders
        });
        holders.get(&place).copied()
    }
}

fn version(path: &Path) -> Option<Version> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

/// The attribute of a block of tools, among the names.
pub(super) const BLOCK: &str = "#[tools]";

/// The words behind which a name is declared. `type` is a key of attributes too, and `as` ends a declaration.
const DECLARING: [&str; 9] = [
    "fn", "mod", "struct", "enum", "union", "trait", "type", "crate", "as",
];

/// The names that items or imports may have, and how often. Comments and literals count as code does.
fn names(text: &str) -> HashMap<String, usize> {
    let mut names = HashMap::new();
    let mut count = |name: &str| *names.entry(name.to_owned()).or_default() += 1;
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let bytes = text.as_bytes();
    let (mut before, mut end) = ("", 0);
    let mut is_import = false;
    let mut from = 0;
    while let Some(skipped) = bytes[from..].iter().position(is_part) {
        let start = from + skipped;
        let rest = &bytes[start..];
        let length = rest.iter().position(|byte| !is_part(byte));
        from = start + length.unwrap_or(rest.len());
        let (between, word) = (&text[end..start], &text[start..from]);
        let next = bytes.get(from).copied();
        if word == "r" && next == Some(b'#') {
            continue;
        }
        is_import &= !between.contains(';');
        let is_joined = || between.chars().all(|char| " \t\r\n=r#".contains(char));
        if is_import || (DECLARING.contains(&before) && is_joined()) {
            count(word);
        }
        if word == "tools" && matches!(next, Some(b']' | b'(')) {
            count(BLOCK);
        }
        is_import |= word == "use";
        (before, end) = (word, from);
    }
    names
}

#[cfg(test)]
mod tests {
    use std::rc::Rc;

    use super::{BLOCK, File, Holder};

    #[test]
    fn names_that_items_may_have() {
        for (text, name, expected) in [
            ("#[tool]\nfn f() { g(f) }", "f", 1),
            ("fn f() {} toolset![f, a::f]; f();", "f", 1),
            ("pub async fn f() {}\nstruct f;", "f", 2),
            ("mod r#f {} fn\n r#f() {}", "f", 2),
            ("#[tool(type = f)] fn g() {} type f = u8;", "f", 2),
            ("extern crate g as f; fn f() {}", "f", 2),
            ("use a::{b as f, f}; f();", "f", 2),
            ("pub use a::f;\nlet a = [f, f];", "f", 1),
            ("fn föö() {}", "föö", 1),
            (
                "use tw::tools; #[tools] impl A {} #[tw::tools(fn = b)]",
                BLOCK,
                2,
            ),
        ] {
            assert_eq!(File::of(text.to_owned()).count(name), expected, "{text}");
        }
    }

    #[test]
    fn places() {
        let file = File::of("ab\nüc\n".to_owned());
        for (line, column, expected) in [
            (1, 1, Some(0)),
            (2, 1, Some(3)),
            (2, 2, Some(5)),
            (4, 1, None),
            (0, 1, None),
        ] {
            assert_eq!(file.place(line, column), expected, "{line}:{column}");
        }
    }

    /// An editor keeps the macros loaded while a file changes.
    #[test]
    fn a_file_that_changed_is_read_again() {
        let name = format!("toolwright_surroundings_{}.rs", std::process::id());
        let path = std::env::temp_dir().join(name);
        let read = |text: &str| {
            std::fs::write(&path, text).expect("is written");
            File::at(path.clone()).expect("is read")
        };
        let first = read("fn f() {}");
        let again = File::at(path.clone()).expect("is read");
        assert!(Rc::ptr_eq(&first, &again), "it is read once");
        let later = read("fn g() {} fn g() {}");
        std::fs::remove_file(&path).expect("is there");
        assert_eq!((later.count("f"), later.count("g")), (0, 2));
        assert!(File::at(path).is_none(), "it is gone");
    }

    fn check(text: &str, expected: Option<Holder>) {
        let place = text.find("#[tool]").expect("it is there");
        let file = File::of(text.to_owned());
        assert_eq!(file.holder(place), expected, "{text}");
    }

    #[test]
    fn a_method_stands_in_an_impl() {
        for text in [
            "impl Desk {\n    #[tool]\n    fn f() {}\n}",
            "struct S { a: [u8; 3] }\nmod m { pub unsafe impl<T: Fn(u8) -> u8> Desk<T> where T: Copy { fn g() { if a { b } } #[tool] fn f() {}",
            "fn main() { impl Desk { #[tool] fn f() {} } }",
        ] {
            check(text, Some(Holder::Impl));
        }
    }

    #[test]
    fn a_method_stands_in_a_trait() {
        for text in [
            "#[cfg(x)]\n#[doc = \"}\"]\npub(crate) trait Desk: Send { const C: char = '{'; const S: &'static str = r#\"{\"{\"#; // }\n /* { /* } */ */ #[tool] fn f();",
            "trait Desk {\n    #[tool]\n    fn f(&self) {}\n}",
        ] {
            check(text, Some(Holder::Trait));
        }
    }

    #[test]
    fn a_method_stands_in_the_impl_of_a_trait() {
        for text in [
            "impl Desk for Shop { #[tool] fn f() {} }",
            "unsafe impl<T: Copy> a::Desk<T> for Shop<T> where T: Send { #[tool] fn f() {} }",
        ] {
            check(text, Some(Holder::ImplOfTrait));
        }
    }

    #[test]
    fn a_function_does_not() {
        for text in [
            "#[tool]\nfn f() {}",
            "impl Desk { fn g() {} }\n#[tool]\nfn f() {}",
            "mod tests { #[tool] fn f() {} }",
            "impl Desk { fn g() { #[tool] fn f() {} } }",
            "fn g() -> impl Fn() { #[tool] fn f() {} }",
            "hoist! { impl Desk { #[tool] fn f() {} } }",
            "hoist!(impl Desk { #[tool] fn f() {} })",
            "macro_rules! m { () => { impl Desk { #[tool] fn f() {} } } }",
            "trait_of!(); mod implements { #[tool] fn f() {} }",
            "impl Desk { const S: &str = \"\\\"}\"; } #[tool] fn f() {}",
        ] {
            check(text, None);
        }
    }
}
