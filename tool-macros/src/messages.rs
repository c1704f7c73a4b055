//! Every message of this crate, against the rule that `tests/ui/RULES.md` states: it names the thing, and says what
//! to write.

use std::{fs, path::Path};

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The words by which a message says what to write.
const ADVICE: &[&str] = &[
    "add",
    "allow",
    "call",
    "change",
    "declare",
    "derive",
    "derives",
    "did you mean",
    "give",
    "keep",
    "let",
    "limit",
    "mark",
    "marked",
    "move",
    "name",
    "put",
    "remove",
    "rename",
    "return",
    "such as",
    "take",
    "tell",
    "use",
    "write",
];

/// Parts of messages, whose other part gives the advice.
const PARTS: &[&str] = &[
    "a whole number and `ms`, `s`, `m` or `h`",
    "letters of ASCII, digits and `_`, with no digit at the start",
    "letters of ASCII, digits, `_`, `.` and `-`",
    "`{names}`, or a constant of yours of the type `Capabilities`, such as `PAYMENTS`",
    "`RunnerBuilder::pending_time` limits how long a run waits",
    "try again where the application answers",
];

/// The texts within a message that say what to write, by the names of their variables.
const WRITTEN_APART: [&str; 2] = ["{instead}", "{purpose}"];

/// The string literals of code, without those of tests, attributes, patterns and assertions.
fn literals(tokens: TokenStream, found: &mut Vec<String>) {
    let tokens: Vec<_> = tokens.into_iter().collect();
    let mut place = 0;
    while let Some(token) = tokens.get(place) {
        place += 1;
        match token {
            TokenTree::Punct(mark) if mark.as_char() == '#' => {
                if matches!(tokens.get(place), Some(TokenTree::Punct(_))) {
                    place += 1;
                }
                if let Some(TokenTree::Group(attribute)) = tokens.get(place) {
                    place += 1;
                    // What follows `#[cfg(test)]` is a test.
                    if attribute.stream().to_string() == "cfg (test)" {
                        return;
                    }
                }
            }
            TokenTree::Ident(name)
                if ["expect", "unreachable", "quote"]
                    .iter()
                    .any(|other| name == other) =>
            {
                while !matches!(tokens.get(place), None | Some(TokenTree::Group(_))) {
                    place += 1;
                }
                place += 1;
            }
            TokenTree::Group(group) if group.delimiter() != Delimiter::None => {
                literals(group.stream(), found);
            }
            TokenTree::Literal(literal) => {
                found.extend(
                    syn::parse_str::<syn::LitStr>(&literal.to_string()).map(|text| text.value()),
                );
            }
            _ => {}
        }
    }
}

/// The messages in the files below a folder: what is a sentence.
fn messages(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() && !path.ends_with("tests") {
            messages(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs")
            && !path.ends_with("messages.rs")
            && !path.ends_with("tests.rs")
        {
            let code = fs::read_to_string(&path).expect("it can be read");
            let mut texts = Vec::new();
            literals(code.parse().expect("it is Rust"), &mut texts);
            let sentences = texts
                .into_iter()
                .filter(|text| text.split_whitespace().count() >= 5);
            found.extend(sentences.map(|text| (path.display().to_string(), text)));
        }
    }
}

#[test]
fn every_message_says_what_to_write() {
    let mut all = Vec::new();
    messages(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    assert!(all.len() > 100, "only {} messages were found", all.len());
    let is_word = |c: char| c.is_alphabetic();
    let advises = |text: &str| {
        let is_apart = WRITTEN_APART.iter().any(|part| text.contains(part));
        is_apart
            || ADVICE.iter().any(|advice| {
                let mut places = text.match_indices(advice);
                places.any(|(start, _)| {
                    let (before, after) = (&text[..start], &text[start + advice.len()..]);
                    !before.ends_with(is_word) && !after.starts_with(is_word)
                })
            })
    };
    let silent: Vec<_> = all
        .iter()
        .filter(|(_, text)| !advises(text) && !PARTS.contains(&text.as_str()))
        .map(|(path, text)| format!("{path}: {text}"))
        .collect();
    assert!(
        silent.is_empty(),
        "these say not what to write:\n{}",
        silent.join("\n")
    );
}
