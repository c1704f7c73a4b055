//! How long a provider asks to wait, and whether to ask again at all.

mod date;

use std::time::Duration;

use date::http_date;

/// A wait longer than this is not one that a program waits out; it is cut to this.
const LONGEST: f64 = 7.0 * 24.0 * 3600.0;

/// The wait that the headers of an answer ask for: `retry-after-ms`, or `retry-after` in seconds or
/// as a date in any form of RFC 9110. `header` looks up a header by its name in lower case, `now` is the
/// time since 1970. A date that is over is no wait; a number below 0 is left out.
pub fn retry_after<'a>(
    header: impl Fn(&str) -> Option<&'a str>,
    now: Duration,
) -> Option<Duration> {
    let milliseconds = header("retry-after-ms").and_then(number);
    if let Some(wait) = milliseconds.and_then(|wait| seconds(wait / 1000.0)) {
        return Some(wait);
    }
    let text = header("retry-after")?;
    match number(text) {
        Some(wait) => seconds(wait),
        None => {
            http_date(text, now).and_then(|date| seconds(date.saturating_sub(now).as_secs_f64()))
        }
    }
}

/// Whether the headers of an answer say that the same request is to be sent again, or not:
/// `x-should-retry`. `header` looks up a header by its name in lower case.
pub fn should_retry<'a>(header: impl Fn(&str) -> Option<&'a str>) -> Option<bool> {
    let text = header("x-should-retry")?.trim();
    [true, false]
        .into_iter()
        .find(|word| text.eq_ignore_ascii_case(if *word { "true" } else { "false" }))
}

/// A number as a header has it. One that nobody can hold is a very large one.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let number: f64 = text.parse().ok()?;
    let is_written = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    is_written.then(|| number.clamp(f64::MIN, f64::MAX))
}

/// The wait that a text names, as OpenAI and Groq write it (`Please try again in 1m2.5s`) or Gemini
/// (`retry in 34.4s`).
pub(crate) fn from_text(text: &str) -> Option<Duration> {
    let lower = text.to_ascii_lowercase();
    let start = ["again in ", "retry in ", "retry after "]
        .iter()
        .find_map(|words| lower.find(words).map(|at| at + words.len()))?;
    let word = lower[start..].split_ascii_whitespace().next()?;
    from_duration(word.trim_end_matches(['.', ',', ';', ')']))
}

/// A duration as providers write it: `34.4s`, `6m0s`, `120ms`, `1h2m`. A number needs its unit.
pub(crate) fn from_duration(mut text: &str) -> Option<Duration> {
    let mut total = 0.0;
    while !text.is_empty() {
        let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let number: f64 = text[..digits].parse().ok()?;
        let after = &text[digits..];
        let unit = after
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(after.len());
        total += number
            * match &after[..unit] {
                "ms" => 0.001,
                "s" => 1.0,
                "m" => 60.0,
                "h" => 3600.0,
                "d" => 86_400.0,
                _ => return None,
            };
        text = &after[unit..];
    }
    seconds(total)
}

/// A number of seconds as a duration, if it is one.
pub(crate) fn seconds(seconds: f64) -> Option<Duration> {
    (seconds.is_finite() && seconds >= 0.0).then(|| Duration::from_secs_f64(seconds.min(LONGEST)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{from_text, retry_after, should_retry};

    fn check_headers(headers: &[(&str, &str)], expected: Option<u64>) {
        let header = |name: &str| {
            headers
                .iter()
                .find(|(have, _)| *have == name)
                .map(|(_, value)| *value)
        };
        let wait = retry_after(header, Duration::from_secs(784_111_777));
        assert_eq!(
            wait.map(|wait| Duration::from_millis(
                u64::try_from(wait.as_millis()).expect("is short")
            )),
            expected.map(Duration::from_millis),
            "{headers:?}"
        );
    }

    #[test]
    fn headers_are_milliseconds_seconds_or_a_date() {
        check_headers(&[("retry-after", "2")], Some(2000));
        check_headers(&[("retry-after", "0.5")], Some(500));
        check_headers(&[("retry-after", "9"), ("retry-after-ms", "7")], Some(7));
        check_headers(
            &[("retry-after", "Sun, 06 Nov 1994 08:49:40 GMT")],
            Some(3000),
        );
        check_headers(&[("retry-after", "Sat, 05 Nov 1994 08:49:40 GMT")], Some(0));
        check_headers(&[("retry-after", "soon")], None);
        check_headers(&[("retry-after", "-1")], None);
        check_headers(&[("retry-after", "NaN")], None);
        let longest = Some(7 * 24 * 3_600_000);
        check_headers(&[("retry-after", "1e300")], longest);
        check_headers(&[("retry-after", &"9".repeat(400))], longest);
        check_headers(&[("retry-after", "inf")], None);
        check_headers(&[("retry-after", " 0.25 ")], Some(250));
        check_headers(
            &[("retry-after", "5"), ("retry-after-ms", "-1")],
            Some(5000),
        );
        check_headers(&[("retry-after", "5"), ("retry-after-ms", "x")], Some(5000));
        check_headers(&[("retry-after-ms", "12.5")], Some(12));
        check_headers(
            &[("retry-after", "Sunday, 06-Nov-94 08:49:40 GMT")],
            Some(3000),
        );
        check_headers(&[("retry-after", "Sun Nov  6 08:49:40 1994")], Some(3000));
        check_headers(&[("retry-after", "Fri, 31 Dec 9999 23:59:59 GMT")], longest);
        check_headers(&[], None);
    }

    #[test]
    fn a_header_says_whether_to_ask_again() {
        let check = |text, expected| {
            assert_eq!(
                should_retry(|name| (name == "x-should-retry").then_some(text)),
                expected
            );
        };
        check("true", Some(true));
        check(" False ", Some(false));
        check("maybe", None);
        check("", None);
        assert_eq!(should_retry(|_| None), None);
    }

    #[test]
    fn texts_name_a_wait_in_units() {
        let check = |text, millis: Option<u64>| {
            assert_eq!(from_text(text), millis.map(Duration::from_millis), "{text}");
        };
        check(
            "Rate limit. Please try again in 1m2.5s. Visit us",
            Some(62_500),
        );
        check("please try again in 120ms.", Some(120));
        check("Please retry in 34.4s.", Some(34_400));
        check("try again in a while", None);
        check("try again in 5", None);
        check("try again in ", None);
    }
}
