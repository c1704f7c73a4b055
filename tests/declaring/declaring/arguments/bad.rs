//! Decoding bad arguments: each mistake with its place.

use toolwright::{ErrorCategory, ToolInput, schema::Fuel, tool, toolset};

use super::{check, run, text, tools};

#[test]
fn a_bad_value_is_named_with_its_place() {
    for (arguments, expected) in [
        (r#"{"city":7}"#, "arguments.city: expected a string, got 7"),
        (
            r#"{"city":null}"#,
            "arguments.city: expected a string, got null",
        ),
        (
            r#"{"city":"a","range":{"start":"tomorrow"}}"#,
            r#"arguments.range.start: expected an integer, got "tomorrow""#,
        ),
        (
            r#"{"city":"a","unit":"kelvin"}"#,
            r#"arguments.unit: expected one of "celsius", "fahrenheit", got "kelvin""#,
        ),
        (
            r#"{"city":"a","unit":5}"#,
            r#"arguments.unit: expected one of "celsius", "fahrenheit", got 5"#,
        ),
        (
            r#"{"city":"a","list":[1,256]}"#,
            "arguments.list[1]: expected an integer from 0 to 255, got 256",
        ),
        (
            r#"{"city":"a","list":"1,2"}"#,
            r#"arguments.list: expected a list, got "1,2""#,
        ),
        (
            r#"{"city":"a","map":{"the key":"x"}}"#,
            r#"arguments.map["the key"]: expected a number, got "x""#,
        ),
        (
            r#"{"city":"a","range":[]}"#,
            "arguments.range: expected an object, got []",
        ),
        ("[1]", "arguments: expected an object, got [1]"),
        (r#""Oslo""#, r#"arguments: expected an object, got "Oslo""#),
    ] {
        check("show", arguments, expected);
    }
}

#[test]
fn a_bad_number_is_told_its_range() {
    for (arguments, expected) in [
        (
            r#"{"small":1.5}"#,
            "arguments.small: expected an integer from 0 to 255, got 1.5",
        ),
        (
            r#"{"small":-1}"#,
            "arguments.small: expected an integer from 0 to 255, got -1",
        ),
        (
            r#"{"signed":2147483648}"#,
            "arguments.signed: expected an integer from -2147483648 to 2147483647, got 2147483648",
        ),
        (
            r#"{"large":-1}"#,
            "arguments.large: expected an integer of at least 0, got -1",
        ),
        (
            r#"{"large":99999999999999999999}"#,
            "arguments.large: expected an integer from 0 to 18446744073709551615, got 99999999999999999999",
        ),
        (
            r#"{"float":1e999}"#,
            "arguments.float: expected a number that a 64-bit float can hold, got 1e999",
        ),
        (
            r#"{"float":"1"}"#,
            r#"arguments.float: expected a number, got "1""#,
        ),
        (
            r#"{"letter":"ab"}"#,
            r#"arguments.letter: expected a string of one character, got "ab""#,
        ),
        (
            r#"{"flag":"true"}"#,
            r#"arguments.flag: expected a boolean, got "true""#,
        ),
    ] {
        check("numbers", arguments, expected);
    }
}

#[test]
fn a_missing_value_is_told_its_type() {
    check("show", "{}", "arguments.city: missing, expected a string");
    check(
        "show",
        r#"{"city":"a","range":{}}"#,
        "arguments.range.start: missing, expected an integer",
    );
}

#[test]
fn an_unknown_name_is_told_the_known_ones() {
    check(
        "show",
        r#"{"city":"a","lsit":[]}"#,
        r#"arguments.lsit: unknown, expected one of "list", "unit", "city", "map", "range""#,
    );
    check(
        "show",
        r#"{"city":"a","range":{"start":1,"to":2}}"#,
        r#"arguments.range.to: unknown, expected one of "end", "start""#,
    );
    check(
        "nothing",
        r#"{"a":1}"#,
        "arguments.a: unknown, expected no arguments",
    );
}

/// A number that must be even.
#[derive(Debug, serde::Deserialize)]
#[serde(try_from = "i64")]
struct Even(i64);

impl TryFrom<i64> for Even {
    type Error = &'static str;

    fn try_from(number: i64) -> Result<Self, Self::Error> {
        match number % 2 {
            0 => Ok(Self(number)),
            _ => Err("must be even"),
        }
    }
}

impl ToolInput for Even {
    type Body<F: Fuel> = <i64 as ToolInput>::Body<F>;
}

/// Take numbers that the schema does not tell apart.
#[tool]
fn take_even(numbers: Vec<Even>, one: Option<Even>) -> i64 {
    numbers.iter().chain(&one).map(|even| even.0).sum()
}

#[test]
fn what_a_type_itself_refuses_is_told_with_its_place() {
    for (arguments, expected) in [
        (r#"{"numbers":[2,4.0],"one":-2e0}"#, "4"),
        (
            r#"{"numbers":[2, 3 , 4]}"#,
            "arguments.numbers[1]: must be even, got 3",
        ),
        (
            r#"{"numbers":[3.0,4]}"#,
            "arguments.numbers[0]: must be even, got 3",
        ),
        // The decoder stops behind the list: it could be any of them.
        (
            r#"{"numbers":[2,3]}"#,
            "arguments.numbers: must be even, got [2,3]",
        ),
        (
            "\n {\"one\":\n 1, \"numbers\":[]}",
            "arguments.one: must be even, got 1",
        ),
        (
            r#"{"numbers":[],"one":1}"#,
            "arguments.one: must be even, got 1",
        ),
    ] {
        assert_eq!(
            text(&toolset![take_even], "take_even", arguments),
            expected,
            "{arguments}"
        );
    }
}

#[test]
fn what_comes_twice_is_refused() {
    check(
        "show",
        r#"{"city":"a","city":"b"}"#,
        "arguments.city: given twice, expected once",
    );
    check(
        "show",
        r#"{"city":"a","range":{"start":1,"start":2}}"#,
        "arguments.range.start: given twice, expected once",
    );
}

#[test]
fn broken_json_is_told_where() {
    check(
        "show",
        r#"{"city": "Oslo" "unit": 1}"#,
        "the arguments are not valid JSON: arguments.city: no comma after it",
    );
    check(
        "show",
        r#"{"city": "Os"#,
        "the arguments are not valid JSON: arguments.city: the text ends inside a string",
    );
    check(
        "show",
        r#"{"city":"a"} and more"#,
        "the arguments are not valid JSON: arguments: unexpected text after the closing bracket",
    );
    check(
        "show",
        r#"{"city":"\ud800"}"#,
        r#"arguments.city: expected a string of whole characters, got "\ud800""#,
    );
}

#[test]
fn long_values_are_cut() {
    let arguments = format!(r#"{{"city":["{}"]}}"#, "é".repeat(10_000));
    let message = text(&tools(), "show", &arguments);
    assert!(message.starts_with("arguments.city: expected a string, got [\"é"));
    assert!(message.chars().count() < 120, "{message}");
    let arguments = format!(r#"{{"{}":1}}"#, "k".repeat(10_000));
    assert!(text(&tools(), "show", &arguments).len() < 300);
    let unknown: Vec<_> = (0..100_000)
        .map(|key| format!("\"k{key}\":{key}"))
        .collect();
    let megabyte = "\u{1f980}".repeat(300_000);
    for arguments in [
        format!("{{{}}}", unknown.join(",")),
        format!(r#"{{"city":["{megabyte}"],"range":"{megabyte}","{megabyte}":1}}"#),
        format!(r#"{{"{megabyte}":[{{"{megabyte}":"#),
        format!("{{city:{megabyte}"),
        format!("{}1", r#"{"city":"#.repeat(200_000)),
        format!("[{}]", "1,".repeat(500_000)),
    ] {
        let message = text(&tools(), "show", &arguments);
        assert!(message.chars().count() <= 1_000, "{message}");
    }
}

/// Write down an appointment.
#[toolwright::tool]
async fn appoint(
    /// What it is.
    title: &str,
    /// Who comes.
    #[tool(length(2..))]
    guests: Vec<Guest>,
    /// In which week.
    #[tool(range(10..=53))]
    week: u8,
    /// Where.
    #[tool(example = "Room 7")]
    place: String,
    /// What else.
    #[tool(default)]
    note: String,
) -> String {
    format!("{title} {} {week} {place} {note}", guests.len())
}

#[derive(serde::Deserialize, toolwright::ToolInput)]
#[expect(dead_code, reason = "only its shape matters")]
enum Guest {
    Known { id: u32 },
    New(String, [bool; 2]),
}

/// What is shown as an example is a call that runs.
#[test]
fn who_leaves_an_argument_out_is_shown_a_call() {
    let tools = toolwright::toolset![appoint];
    for missing in ["{}", "[]", r#"{"title":"a","guests":[]}"#] {
        let error = run(&tools, "appoint", missing).unwrap_err();
        let example = &error.details["example"];
        assert_eq!(
            example,
            r#"{"title":"text","guests":[{"Known":{"id":1}},{"Known":{"id":1}}],"week":10,"place":"Room 7"}"#
        );
        run(&tools, "appoint", example).expect("is a call");
    }
    let wrong = run(&super::tools(), "show", r#"{"city":1}"#).unwrap_err();
    assert!(!wrong.details.contains_key("example"), "{wrong:?}");
}

#[test]
fn several_mistakes_are_told_at_once() {
    let tools = toolwright::toolset![appoint];
    let error = run(&tools, "appoint", r#"{"title":1,"guests":[2],"weak":3}"#).unwrap_err();
    assert_eq!(
        error.message,
        "arguments.title: expected a string, got 1; \
         arguments.guests[0]: expected one of {\"Known\": …}, {\"New\": …}, got 2; \
         arguments.weak: unknown, expected one of \"week\", \"place\", \"note\", \"title\", \"guests\"; \
         arguments.week: missing, expected an integer from 10 to 53; and more"
    );
}

#[test]
fn an_error_is_of_its_category_and_names_its_call() {
    let error = run(&tools(), "show", "{}").unwrap_err();
    assert_eq!(error.category, ErrorCategory::InvalidArguments);
    assert_eq!(error.details["tool"], "show");
    assert_eq!(error.details["call"], "call_1");
}

/// Every input of a few mutations ends in a value or an error, never in a panic.
#[test]
fn no_text_makes_it_panic() {
    let seeds = [
        r#"{"city":"Oslo","unit":"celsius","range":{"start":1,"end":2},"list":[1,2],"map":{"a":1.5}}"#,
        r#"{"small":1,"signed":-2,"large":3,"float":4.5,"single":1e3,"letter":"é","flag":true}"#,
    ];
    let pieces = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\\",
        "\\u",
        "\\ud800",
        "null",
        "1e999",
        "-",
        "1.0",
        "é",
        "\u{0}",
        " ",
        "\"city\"",
        "\"$serde_json::private::RawValue\"",
        "99999999999999999999",
    ];
    let tools = tools();
    // A small generator with a fixed seed: the same inputs in every run.
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).unwrap()
    };
    for _ in 0..4_000 {
        let mut text: Vec<char> = seeds[next(seeds.len())].chars().collect();
        for _ in 0..=next(3) {
            let at = next(text.len() + 1);
            let end = (at + next(4)).min(text.len());
            let piece = pieces[next(pieces.len())];
            text.splice(at..end, piece.chars());
        }
        let text: String = text.into_iter().collect();
        for name in ["show", "numbers", "defaults", "nothing"] {
            let _ = run(&tools, name, &text);
        }
    }
    let deep = format!("{}{}", r#"{"city":"#.repeat(5_000), "}".repeat(5_000));
    for name in ["show", "nothing"] {
        assert!(run(&tools, name, &deep).is_err());
    }
}
