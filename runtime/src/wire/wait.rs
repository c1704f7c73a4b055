//! How long a provider asks to wait.

use std::time::Duration;

/// A wait longer than this is not one that a program waits out; it is cut to this.
const LONGEST: f64 = 7.0 * 24.0 * 3600.0;

/// The wait that the headers of an answer ask for: `retry-after-ms`, or `retry-after` in seconds or
/// as a date. `header` looks up a header by its name in lower case, `now` is the time since 1970.
pub fn retry_after<'a>(
    header: impl Fn(&str) -> Option<&'a str>,
    now: Duration,
) -> Option<Duration> {
    let milliseconds = header("retry-after-ms").and_then(|text| text.trim().parse::<f64>().ok());
    if let Some(wait) = milliseconds.and_then(|wait| seconds(wait / 1000.0)) {
        return Some(wait);
    }
    let text = header("retry-after")?.trim();
    match text.parse::<f64>() {
        Ok(wait) => seconds(wait),
        Err(_) => http_date(text).and_then(|date| seconds(date.saturating_sub(now).as_secs_f64())),
    }
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

/// The time since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that servers
/// may still send.
fn http_date(text: &str) -> Option<Duration> {
    const MONTHS: [&str; 12] = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ];
    let mut words = text.split_once(", ")?.1.split(' ');
    let day: u64 = words.next()?.parse().ok()?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|name| *name == month)? as u64;
    let year: u64 = words.next()?.parse().ok()?;
    let mut clock = words.next()?.split(':').map(str::parse::<u64>);
    let (hours, minutes, secs) = (
        clock.next()?.ok()?,
        clock.next()?.ok()?,
        clock.next()?.ok()?,
    );
    if words.next()? != "GMT" || !(1970..10_000).contains(&year) || !(1..=31).contains(&day) {
        return None;
    }
    // The year begins in March, so that the leap day is its last.
    let (march_year, march_month) = if month < 2 {
        (year - 1, month + 10)
    } else {
        (year, month - 2)
    };
    let leap_days = march_year / 4 - march_year / 100 + march_year / 400;
    let day_of_year = (153 * march_month + 2) / 5 + day - 1;
    // 719,468 days lie between 1 March of the year 0 and 1970.
    let days = (march_year * 365 + leap_days + day_of_year).checked_sub(719_468)?;
    Some(Duration::from_secs(
        days * 86_400 + hours.min(23) * 3600 + minutes.min(59) * 60 + secs.min(60),
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{from_text, retry_after};

    fn check_headers(headers: &[(&str, &str)], expected: Option<u64>) {
        let header = |name: &str| {
            headers
                .iter()
                .find(|(have, _)| *have == name)
                .map(|(_, value)| *value)
        };
        assert_eq!(
            retry_after(header, Duration::from_secs(784_111_777)),
            expected.map(Duration::from_millis)
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
        check_headers(&[("retry-after", "1e300")], Some(7 * 24 * 3_600_000));
        check_headers(&[], None);
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
