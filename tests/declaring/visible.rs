//! What a person who decides about a call reads of it.

use std::fmt::Write as _;

use regex_syntax::hir::{Class, ClassUnicode, HirKind};
use toolwright::approval::{visible, visible_line};

/// The text that is meant.
fn meant(shown: &str) -> String {
    let mut text = String::new();
    let mut rest = shown;
    while let Some(at) = rest.find("\\u{") {
        text.push_str(&rest[..at]);
        let (number, after) = rest[at + 3..].split_once('}').expect("an escape is whole");
        let number = u32::from_str_radix(number, 16).expect("is a number");
        text.push(char::from_u32(number).expect("is a character"));
        rest = after;
    }
    text + rest
}

/// Characters by their categories: what is written out, and what stays.
#[test]
fn every_character_that_cannot_be_seen_is_written_out() {
    let unseen = class_of(
        r"[[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\x{2800}]--[ \n\t]]",
    );
    for character in unseen.iter().flat_map(|range| range.start()..=range.end()) {
        let shown = visible(&format!("a{character}b"));
        let expected = format!("a\\u{{{:x}}}b", u32::from(character));
        assert_eq!(shown, expected);
    }
    let seen =
        class_of(r"[[\p{L}\p{M}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\x{2800}]]");
    for character in seen.iter().flat_map(|range| range.start()..=range.end()) {
        let text = format!("a{character}b");
        assert_eq!(visible(&text), text);
        assert_eq!(visible_line(&text), text);
    }
}

fn class_of(class: &str) -> ClassUnicode {
    let hir = regex_syntax::parse(class).expect("is a class");
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => class.clone(),
        other => panic!("no class of characters: {other:?}"),
    }
}

/// What is shown says exactly what the text is, so that no two texts are shown as one, and is one line.
#[test]
fn what_is_shown_says_what_the_text_is() {
    let pieces = [
        "a",
        " ",
        "\n",
        "\t",
        "\\",
        "u",
        "{",
        "}",
        "202e",
        "\u{202e}",
        "\u{200b}",
        "\u{1b}",
        "\\u{202e}",
        "é",
        "\u{301}",
        "👩\u{200d}🚀",
        "\r\n",
        "\u{e0041}",
    ];
    let mut state = 1u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..8 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let piece = usize::try_from(state >> 33).unwrap_or(0) % pieces.len();
            text.write_str(pieces[piece]).expect("a string takes it");
        }
        assert_eq!(meant(&visible(&text)), text);
        let line = visible_line(&text);
        assert_eq!(meant(&line), text);
        assert!(!line.contains('\n'), "{line:?}");
    }
}
