//! The items that stand beside another in its file, by their names.

use super::{
    item::{Attribute, Item, items},
    reader::Reader,
};

/// The items beside one, and itself. None of them is there under a condition only.
pub(crate) struct Siblings {
    own: Item,
    /// Those that stand before it.
    before: Vec<Item>,
    /// Those that stand behind it.
    behind: Vec<Item>,
}

impl Siblings {
    /// Finds another function that takes the name of this one in the namespace. An item that a macro leaves as it is
    /// comes first. Among other items, the one that is written first comes first.
    pub(crate) fn function_before(&self, name: &str) -> Option<Earlier> {
        self.own.declared().filter(|own| *own == ("fn", name))?;
        let is_same = |item: &&Item| item.declared() == Some(("fn", name));
        if self.before.iter().filter(is_same).any(Item::is_tool) {
            return Some(Earlier::Tool);
        }
        let mut others = self.before.iter().chain(&self.behind).filter(is_same);
        others.any(|item| !item.is_tool()).then_some(Earlier::Other)
    }

    /// The word of the item that has the name of the type beside a function already.
    pub(crate) fn type_beside(&self, name: &str) -> Option<&'static str> {
        let declared = |item: &Item| match item.declared()? {
            ("fn", _) => None,
            (kind, found) => (found == name).then_some(kind),
        };
        let mut all = self.before.iter().chain(&self.behind);
        all.find_map(declared).or_else(|| {
            let mut tools = self.before.iter().filter(|item| item.is_tool());
            tools
                .any(|tool| tool.type_of_tool().is_some_and(|found| found == name))
                .then_some("tool")
        })
    }

    /// Returns true if a type of this name is declared before this one.
    pub(crate) fn has_type_before(&self, name: &str) -> bool {
        let is_same = |item: &Item| {
            item.declared()
                .is_some_and(|(kind, found)| kind != "fn" && found == name)
        };
        is_same(&self.own) && self.before.iter().any(is_same)
    }

    /// Returns the path that an import binds to a name.
    pub(crate) fn imported(&self, name: &str) -> Option<Vec<String>> {
        let mut all = self.before.iter().chain(&self.behind);
        all.find_map(|item| item.imported(name))
    }

    /// Returns true if a block of tools before this one is of the same type, and gives them by a function of the same
    /// name.
    pub(crate) fn has_block_before(&self, function: &str) -> bool {
        let own = self.own.plain_head();
        self.before.iter().any(|item| {
            let is_named = |attribute: &Attribute| {
                let is_named = || {
                    let given = attribute.value_of("fn");
                    given.as_deref().unwrap_or("into_tools") == function
                };
                attribute.is_called("tools") && is_named()
            };
            item.attributes.iter().any(is_named) && item.plain_head() == own
        })
    }
}

/// The item that already has the name of a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Earlier {
    /// A tool, so that its type is there too.
    Tool,
    Other,
}

/// The items in the block or file around this place.
pub(super) fn at(text: &str, place: usize) -> Option<Siblings> {
    let open = Reader::new(text.get(..place)?, 0).around()?;
    if open.iter().any(|open| open.head.contains('!')) {
        return None;
    }
    let start = open.last().map_or(0, |open| open.start);
    let mut items = items(text, start)?;
    let own = items
        .iter()
        .position(|item| (item.start..item.end).contains(&place))?;
    let mut behind = items.split_off(own);
    let own = behind.remove(0);
    items.retain(|item| !item.is_conditional());
    behind.retain(|item| !item.is_conditional());
    (!own.is_conditional()).then_some(Siblings {
        own,
        before: items,
        behind,
    })
}

#[cfg(test)]
mod tests {
    use super::{Earlier, Siblings, at};

    /// The siblings of the last item that is marked.
    fn siblings(text: &str) -> Option<Siblings> {
        at(text, text.rfind("#[tool").expect("it is there"))
    }

    #[test]
    fn functions_of_one_name() {
        for (text, expected) in [
            (
                "#[tool]\nfn f() {}\n#[tool]\nfn f() {}",
                Some(Earlier::Tool),
            ),
            (
                "#[toolwright::tool(read_only)] pub async fn f() {} #[tool] fn f() {}",
                Some(Earlier::Tool),
            ),
            (
                "mod a { pub(crate) const fn f() {} #[tool] fn f() {} }",
                Some(Earlier::Other),
            ),
            ("#[tool] fn f() {} fn f() {}", Some(Earlier::Other)),
            (
                "fn a() { if b { return; } fn f() {} /// }\n#[tool] pub fn r#f() {} }",
                Some(Earlier::Other),
            ),
            (
                "#![allow(x)]\nfn f() -> [u8; { 1 }] {} #[tool] fn f() {}",
                Some(Earlier::Other),
            ),
            ("mod a { #[tool] fn f() {} } #[tool] fn f() {}", None),
            (
                "#[cfg(a)] #[tool] fn f() {} #[cfg(b)] #[tool] fn f() {}",
                None,
            ),
            ("#[cfg(a)] fn f() {} #[tool] fn f() {}", None),
            ("#[test] fn f() {} #[tool] fn f() {}", None),
            (
                "// fn f() {}\nconst F: &str = \"fn f() {}\"; #[tool] fn f() {}",
                None,
            ),
            ("impl A { fn f() {} } #[tool] fn f() {}", None),
            (
                "macro_rules! m { () => { fn f() {} #[tool] fn f() {} } }",
                None,
            ),
        ] {
            let found = siblings(text).and_then(|siblings| siblings.function_before("f"));
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn types_with_the_name_of_that_beside_a_function() {
        for (text, expected) in [
            ("mod t; #[tool] fn t() {}", Some("module")),
            ("#[tool] fn t() {} pub struct t<T>(T);", Some("struct")),
            ("extern crate other as t; #[tool] fn t() {}", Some("crate")),
            ("type t = u8; #[tool(type = t)] fn f() {}", Some("type")),
            (
                "#[tool(type = t)] fn a() {} #[tool(type = t)] fn b() {}",
                Some("tool"),
            ),
            (
                "#[tool] fn t() {} #[tool(type = t)] fn b() {}",
                Some("tool"),
            ),
            (
                "extern crate t as other; mod a { struct t; } #[tool] fn t() {}",
                None,
            ),
            ("#[cfg(a)] mod t; #[tool] fn t() {}", None),
            // Statements that begin with the words of items.
            ("fn a() { crate::t::b(); #[tool] fn t() {} }", None),
            ("fn a() { union.t(b); #[tool] fn t() {} }", None),
            ("fn a() { union\n.t(b); #[tool] fn t() {} }", None),
            ("use a::t; #[tool] fn t() {}", None),
        ] {
            let siblings = siblings(text).expect("it is plain");
            assert_eq!(siblings.type_beside("t"), expected, "{text}");
        }
    }

    #[test]
    fn imports() {
        for (text, expected) in [
            ("use std::path::Path;", Some("std::path::Path")),
            (
                "pub(crate) use std::{fs, path::{self, Path}};",
                Some("std::path::Path"),
            ),
            ("use other::Route as Path;", Some("other::Route")),
            ("use std::path::Path as StdPath;", None),
            ("use std::path::*;", None),
            ("mod a { use std::path::Path; }", None),
        ] {
            let siblings = siblings(&format!("{text} #[tool] fn f() {{}}")).expect("it is plain");
            let found = siblings.imported("Path").map(|path| path.join("::"));
            assert_eq!(found.as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn blocks_of_one_type() {
        let own = "#[tools] impl<T: Copy> Shop<T> { }";
        for (text, expected) in [
            ("#[tools]\nimpl<T: Copy>\n    Shop<T> {}", true),
            (
                "#[tools(crate = x, fn = into_tools)] impl<T: Copy> Shop<T> {}",
                true,
            ),
            ("#[tools(fn = other)] impl<T: Copy> Shop<T> {}", false),
            ("#[tools] impl Shop<u8> {}", false),
            ("impl<T: Copy> Shop<T> {}", false),
        ] {
            let siblings = siblings(&format!("{text} {own}")).expect("it is plain");
            assert_eq!(siblings.has_block_before("into_tools"), expected, "{text}");
        }
    }

    #[test]
    fn blocks_of_types_with_values() {
        let own = "#[tools] impl Shop<{ 1 + 1 }> {}";
        for (text, expected) in [
            (own, true),
            ("#[tools] impl Shop<{ 1 }> {}", false),
            ("#[tools] impl<F: Fn() -> u8> Shop<{ 1 }, F> {}", false),
        ] {
            let siblings = siblings(&format!("{text} {own}")).expect("it is plain");
            assert_eq!(siblings.has_block_before("into_tools"), expected, "{text}");
        }
    }

    #[test]
    fn derives_of_one_name() {
        let text = "struct A; #[derive(Debug, Tool)] struct A { a: u8 }";
        let place = text.find("Tool").expect("it is there");
        assert!(at(text, place).is_some_and(|siblings| siblings.has_type_before("A")));
        let text = "mod a { struct A; } #[derive(Debug, Tool)] struct A { a: u8 }";
        let place = text.find("Tool").expect("it is there");
        assert!(at(text, place).is_some_and(|siblings| !siblings.has_type_before("A")));
    }
}
