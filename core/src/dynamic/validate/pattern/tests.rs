use super::{Exceeded, Pattern, Patterns, bounded, work};

#[test]
fn patterns_match_as_ecmascript_says() {
    for (pattern, fits, others) in [
        ("^(?:ab)+$", &["ab", "abab"][..], &["", "aba"][..]),
        (r"^\d\w$", &["1a"], &["١a", "1é"]),
        (r"^[\d]\s\S$", &["1\u{a0}a", "1\u{feff}a"], &["1\u{85}a"]),
        (r"\bb\b", &["a b", "b"], &["ab"]),
        (r"^\/\cJ\u0041\x42$", &["/\nAB"], &["/AB"]),
        ("^a.b$", &["axb"], &["a\nb", "axb\n"]),
        (r"^[\](?=]+$", &["]", "(?="], &["a"]),
        (r"^[[a&&b]+$", &["[a&b"], &["c"]),
        (r"\(?=a", &["=a", "(=a"], &["(a"]),
        (r"caf\b", &["café"], &["cafe"]),
        (r"^é\Bé$", &["éé"], &[]),
        (r"^\<[a-z.]+\>$", &["<br>", "<.>"], &["br"]),
        (r"^[\w--z]$", &["-", "a", "z"], &[".", "@", "/"]),
        ("^.*$", &["a"], &["a\rb", "a\u{2028}b"]),
        (
            r"^[\w-\.]+@([\w-]+\.)+[\w-]{2,4}$",
            &["a-b.c@d-e.org"],
            &["a b@c.org"],
        ),
        ("^ä.€$", &["äx€", "ä🦀€"], &["ä€"]),
        (r"^\p{Lu}$", &["Ä"], &["ä"]),
        ("(?<year>[0-9]{4})", &["in 1999"], &["199"]),
    ] {
        let compiled = Pattern::new(pattern).unwrap_or_else(|_| panic!("{pattern}"));
        let is_match = |text: &&str| bounded(|| compiled.is_match(text)).expect("it is short");
        for text in fits {
            assert_eq!(is_match(text), Ok(true), "{pattern} on {text:?}");
        }
        for text in others {
            assert_eq!(is_match(text), Ok(false), "{pattern} on {text:?}");
        }
    }
}

#[test]
fn a_pattern_without_a_bound_is_not_checked() {
    for unbounded in [
        "(?=.*[A-Z]).{8,}",
        "^(?!eo:)",
        "(?<=a)b",
        r"(?<!\$)\b\d+",
        r"^(a+)\1$",
        r"^(?<q>['\x22]).*\k<q>$",
    ] {
        assert!(Pattern::new(unbounded).is_err(), "{unbounded}");
    }
    // ECMAScript's empty classes are not translated.
    for untranslated in [
        "^[^]$",
        "[]",
        r"^\[[^]*\]$",
        "^[^]]+$",
        "^[]a]$",
        r"^[\w-.-z]$",
        "^(?s:.*)$",
        "(?x)a b",
    ] {
        assert!(Pattern::new(untranslated).is_err(), "{untranslated}");
    }
    for bomb in [
        "(a{1000}){1000}",
        "((a{0,99}){0,99}){0,99}",
        "(?:a{9999}){9999}",
        "(?:(?:){4000000000}a{9999}){9999}",
    ] {
        assert!(Pattern::new(bomb).is_err(), "{bomb}");
    }
    for broken in [
        "(",
        "(?=",
        "[b-a]",
        "a**{",
        "(?<=",
        r"\k<a>(?<b>x)",
        "(?P=a)",
    ] {
        assert!(Pattern::new(broken).is_err(), "{broken}");
    }
}

#[test]
fn what_takes_long_to_translate_is_not_checked() {
    let digits = r"\d".repeat(5_000);
    assert!(Pattern::new(&"a".repeat(20_000)).is_err());
    let patterns = Patterns::default();
    assert!(patterns.takes("a"));
    assert!(!patterns.takes(&digits));
    assert!(!patterns.takes("b"), "nothing is left");
    assert!(patterns.takes("a"));
}

#[test]
fn what_is_spent_is_spent_for_the_whole_check() {
    let pattern = Pattern::new("ba").expect("is a pattern");
    let text = "a".repeat(100_000);
    let mut matched = 0;
    let outcome = bounded(|| {
        while pattern.is_match(&text).is_ok() {
            matched += 1;
        }
        assert_eq!(pattern.is_match(""), Err(Exceeded));
        assert!(work::is_exceeded());
    });
    assert_eq!(outcome, Err(((), Exceeded)));
    assert!((1..100).contains(&matched), "{matched}");
    // The next check has all of it again.
    assert_eq!(bounded(|| pattern.is_match(&text)), Ok(Ok(false)));
}
