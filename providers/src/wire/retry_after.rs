//! Advice of a provider for sending a request again: the time to wait, and if it makes sense at all.

use std::time::{Duration, UNIX_EPOCH};

use httpdate::parse_http_date;

/// A wait longer than this is not one that a program waits out; it is cut to this.
const LONGEST: f64 = 7.0 * 24.0 * 3600.0;

/// Returns the time to wait that headers ask for: `retry-after-ms`, or `retry-after` in seconds or
/// as a date in any form of RFC 9110. `header` looks up a header by its name in lower case, `now` is the
/// time since 1970. A date in the past is a wait of zero; a number below 0 is ignored.
pub fn retry_after<'a>(
    header: impl Fn(&str) -> Option<&'a str>,
    now: Duration,
) -> Option<Duration> {
    let milliseconds = header("retry-after-ms").and_then(number);
    if let Some(wait) = milliseconds.and_then(|wait| seconds(wait / 1000.0)) {
        return Some(wait);
    }
    let text = header("retry-after")?;
    if let Some(wait) = number(text) {
        return seconds(wait);
    }
    let date = parse_http_date(text).ok()?.duration_since(UNIX_EPOCH);
    seconds(date.ok()?.saturating_sub(now).as_secs_f64())
}

/// Reads the header `x-should-retry`: true if the same request is to be sent again, false if not, `None` if
/// the header says neither. `header` looks up a header by its name in lower case.
pub fn should_retry<'a>(header: impl Fn(&str) -> Option<&'a str>) -> Option<bool> {
    let text = header("x-should-retry")?.trim();
    [true, false]
        .into_iter()
        .find(|word| text.eq_ignore_ascii_case(if *word { "true" } else { "false" }))
}

/// A number as a header has it. One that does not fit the type is a very large one.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let number: f64 = text.parse().ok()?;
    let is_written = text.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    is_written.then(|| number.clamp(f64::MIN, f64::MAX))
}

/// The wait that a text names, as OpenAI and Groq write it (`Please try again in 1m2.5s`), Gemini
/// (`retry in 34.4s`) or Azure (`Please retry after 26 seconds`).
pub(crate) fn from_text(text: &str) -> Option<Duration> {
    let lower = text.to_ascii_lowercase();
    let phrases = ["again in ", "retry in ", "retry after "].iter();
    let mut places = phrases
        .flat_map(|words| lower.match_indices(words))
        .map(|(at, words)| &lower[at + words.len()..]);
    places.find_map(from_beginning)
}

/// The wait that stands at the beginning of a text: numbers and their units, as words or in one, up to the end of
/// the sentence.
fn from_beginning(text: &str) -> Option<Duration> {
    let mut words = text.split_ascii_whitespace().peekable();
    let mut total: Option<f64> = None;
    // A wait has a part for each unit at most.
    for _ in 0..UNITS.len() {
        if total.is_some() {
            words.next_if_eq(&"and");
        }
        let Some(mut last) = words.next() else {
            break;
        };
        let word = last.trim_end_matches(PUNCTUATION);
        let part = if let Some(part) = from_duration(word).filter(|_| !word.is_empty()) {
            part.as_secs_f64()
        } else {
            let is_whole = word.len() == last.len();
            let number = number(word).filter(|number| is_whole && *number >= 0.0);
            last = words.next().unwrap_or_default();
            let unit = unit(last.trim_end_matches(PUNCTUATION));
            let (Some(number), Some(unit)) = (number, unit) else {
                break;
            };
            number * unit
        };
        total = Some(total.unwrap_or(0.0) + part);
        let is_plural = last.contains("(s)");
        if last.ends_with(SENTENCE) || last.contains(')') && !is_plural {
            break;
        }
    }
    seconds(total?)
}

/// Marks behind which another sentence begins.
const SENTENCE: [char; 4] = ['.', ';', ':', '!'];

/// Marks that stand behind a word of a text.
const PUNCTUATION: [char; 6] = ['.', ',', ';', ':', '!', ')'];

/// The units of waits in words, and their seconds.
const UNITS: [(&[&str], f64); 5] = [
    (&["ms", "millisecond", "milliseconds"], 0.001),
    (&["s", "sec", "secs", "second", "seconds", "second(s"], 1.0),
    (&["m", "min", "mins", "minute", "minutes", "minute(s"], 60.0),
    (&["h", "hour", "hours", "hour(s"], 3_600.0),
    (&["d", "day", "days", "day(s"], 86_400.0),
];

/// The seconds of a unit.
fn unit(word: &str) -> Option<f64> {
    let found = UNITS.iter().find(|(words, _)| words.contains(&word))?;
    Some(found.1)
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
        check("Please retry after 26 seconds.", Some(26_000));
        check("Try again in 1 minute and 3 seconds.", Some(63_000));
        check("Retry after 2 hours, 5 min, please", Some(7_500_000));
        check("please retry after 1 second(s)", Some(1_000));
        check("try again in 1.5 Seconds", Some(1_500));
        check(
            "You may try again in a while: retry after 7 seconds",
            Some(7_000),
        );
        check("retry after 99999999 days", Some(7 * 24 * 3_600_000));
        check("Try again in 1m 30s.", Some(90_000));
        check("try again in 1 hour 2m", Some(3_720_000));
        check("Retry in 2 minute(s), 1 second(s). Thanks", Some(121_000));
        check(
            "Please retry after 20 seconds. 1 minute is the window.",
            Some(20_000),
        );
        check("Slow down (try again in 5s) 3 s later", Some(5_000));
        check("try again in 5s, 10 requests are allowed", Some(5_000));
        check("try again in 5s ... 10s", Some(5_000));
        check("retry after -3 seconds", None);
        check("please try again in ...", None);
        check("retry after 3 attempts", None);
        check("try again in a while", None);
        check("try again in 5", None);
        check("try again in ", None);
    }
}
