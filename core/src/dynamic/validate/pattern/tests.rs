use super::{Engine, Exceeded, Pattern, backtrack, bounded, simulate, work};

#[track_caller]
fn is_match(pattern: &str, text: &str) -> bool {
    let compiled = Pattern::new(pattern).unwrap_or_else(|reason| panic!("{pattern}: {reason}"));
    bounded(|| compiled.is_match(text))
        .map_or(Err(Exceeded), |found| found)
        .unwrap_or_else(|Exceeded| panic!("{pattern} takes too many steps on {text}"))
}

#[test]
fn patterns_match_as_ecmascript_says() {
    for (pattern, fits, others) in [
        (
            "(?=.*[A-Z]).{8,}",
            &["abcdefgH", "Hxxxxxxx"][..],
            &["abcdefgh", "Habcdef"][..],
        ),
        (
            r"^(?=.*\d)(?=.*[a-z])(?!.*\s).{4,8}$",
            &["abc1", "1xyz5"],
            &["abcd", "1234", "a 1b", "abcdefgh1"],
        ),
        ("^(?!eo:)", &["proj:epsg", ""], &["eo:bands"]),
        ("(?<=a)b", &["ab", "xab"], &["b", "cb"]),
        (r"(?<!\$)\b\d+", &["12", "a 7"], &["$1", "a"]),
        ("^(?:(?!ab).)*$", &["", "ba", "a"], &["ab", "xab"]),
        ("(?=(a+)+$)a*b", &[], &["aaaab", "b", ""]),
        ("^(?=a(?!b(?=c)))a", &["a", "abd", "ac"], &["abc", "b"]),
        ("(?<=^a+)b$", &["ab", "aaab"], &["b", "cab"]),
        (r"^(a+)\1$", &["aa", "aaaa"], &["a", "aaa", ""]),
        (r"^(?<q>['\x22]).*\k<q>$", &["'a'", "\"\""], &["'a\"", "'"]),
        (r"^(?:a(?=(b+))b*)\1$", &["abb", "ab"], &["a", "b"]),
        (r"^(?=(a*))\1b", &["b", "aab"], &["ac"]),
        (r"^(?:a*)*\b(x)?\1$", &["aa", "xx", "a"], &["ay", "axy"]),
        (r"^\d\w$", &["1a"], &["١a", "1é"]),
        (r"^(?=\d)\w+$", &["1a"], &["١a", "1é"]),
        (r"^[\](?=]+$", &["]", "(?="], &["a"]),
        (r"\(?=a", &["=a", "(=a"], &["(a"]),
        ("^(?=ä).€$", &["ä€"], &["ae", "€ä"]),
    ] {
        for text in fits {
            assert!(is_match(pattern, text), "{pattern} on {text:?}");
        }
        for text in others {
            assert!(!is_match(pattern, text), "{pattern} on {text:?}");
        }
    }
}

#[test]
fn work_grows_with_the_text_and_the_pattern_and_no_faster() {
    for pattern in [
        "(?=.*[A-Z]).{8,}",
        "(?=(a+)+$)a*b",
        "(?:(?=.*x)a)*y",
        "(?=(?=(?=.*b).*b).*b)c",
        "(?<=(a+)+)b",
    ] {
        let compiled = Pattern::new(pattern).expect("is a pattern");
        assert!(matches!(compiled.engine, Engine::Simulated), "{pattern}");
        for length in [0, 1, 100, 2_000] {
            let chars = vec!['a'; length];
            let (_, visits) = simulate::is_match(&compiled.program, &chars);
            assert!(visits <= compiled.cost(length), "{pattern}: {visits}");
            assert!(compiled.cost(length) <= 60 * (length + 1), "{pattern}");
        }
    }
    for pattern in [r"^(a*)*\1b$", r"(?=(a+)+$)\1a*b", r"^(?:(a|aa)+)+\1b$|c"] {
        let compiled = Pattern::new(pattern).expect("is a pattern");
        let (found, steps) = backtrack::is_match(&compiled.program, &vec!['a'; 10_000]);
        assert!(
            found.is_none() && steps <= 1_000_000,
            "{pattern}: {found:?} after {steps}"
        );
    }
}

#[test]
fn what_is_spent_is_spent_for_the_whole_check() {
    let pattern = Pattern::new("(?=b)a").expect("is a pattern");
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

#[test]
fn bombs_are_refused_before_they_are_written() {
    for bomb in [
        "(a{1000}){1000}",
        "((a{0,99}){0,99}){0,99}",
        "(?=(a{1000}){1000})b",
        r"(b)\1(?:a{9999}){9999}",
        "(?:){4000000000}(?:(?=a){9999}){9999}",
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
