//! Texts that are a number and its unit: `5s`, `30/min`, `32KiB`.

use std::time::Duration;

use crate::model::Period;

/// A length of time, or what to write instead.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let unit = "a whole number and `ms`, `s`, `m` or `h`";
    let (number, unit_millis) = match split(text) {
        Some((number, "ms")) => (number, 1),
        Some((number, "s")) => (number, 1_000),
        Some((number, "m" | "min")) => (number, 60_000),
        Some((number, "h")) => (number, 3_600_000),
        _ => {
            return Err(format!(
                "`{text}` is no length of time: write {unit}, as in `5s`"
            ));
        }
    };
    if number == 0 {
        return Err(format!(
            "no call is done in no time: write {unit}, or remove `timeout`"
        ));
    }
    Ok(Duration::from_millis(u64::from(number) * unit_millis))
}

/// A number of calls in a stretch of time, or what to write instead.
pub(super) fn rate(text: &str) -> Result<(u32, Period), String> {
    let (number, per) = match split(text) {
        Some((number, "/s")) => (number, Period::Second),
        Some((number, "/min")) => (number, Period::Minute),
        Some((number, "/h")) => (number, Period::Hour),
        _ => {
            return Err(format!(
                "`{text}` is no rate: write a number of calls and `/s`, `/min` or `/h`, as in \
                 `30/min`"
            ));
        }
    };
    if number == 0 {
        return Err("no call could ever start: allow at least 1, or remove the tool".to_owned());
    }
    Ok((number, per))
}

/// A number of bytes, or what to write instead.
pub(super) fn bytes(text: &str) -> Result<u32, String> {
    let (number, unit) = match split(text) {
        Some((number, "" | "B")) => (Some(number), 1),
        Some((number, "KiB")) => (Some(number), 1 << 10),
        Some((number, "MiB")) => (Some(number), 1 << 20),
        _ => (None, 1),
    };
    match number.and_then(|number| number.checked_mul(unit)) {
        Some(0) => Err(
            "nothing would be left of an output: allow some bytes, or return nothing from the tool"
                .to_owned(),
        ),
        Some(bytes) => Ok(bytes),
        None => Err(format!(
            "`{text}` is no size: write a number of bytes below 4 GiB, or one of `KiB` or `MiB`, \
             as in `\"32KiB\"`"
        )),
    }
}

/// The number at the start, and what follows it.
fn split(text: &str) -> Option<(u32, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    Some((number.parse().ok()?, unit.trim_ascii_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_of_time_has_a_unit() {
        let millis = |text| duration(text).map(|length| length.as_millis()).ok();
        assert_eq!(millis("250ms"), Some(250));
        assert_eq!(millis("5 s"), Some(5_000));
        assert_eq!(millis("2m"), millis("120s"));
        assert_eq!(millis("2min"), millis("2m"));
        assert_eq!(millis("4294967295h"), Some(4_294_967_295 * 3_600_000));
        for wrong in [
            "",
            "5",
            "s",
            "0s",
            "-5s",
            "1.5s",
            "5S",
            "5 seconds",
            "4294967296s",
            "٥s",
        ] {
            assert_eq!(millis(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_rate_has_a_period() {
        assert_eq!(rate("30/min").ok(), Some((30, Period::Minute)));
        assert_eq!(rate("10 /s").ok(), Some((10, Period::Second)));
        assert_eq!(rate("1/h").ok(), Some((1, Period::Hour)));
        for wrong in [
            "",
            "30",
            "30/m",
            "0/s",
            "/s",
            "30 per min",
            "1.5/s",
            "30/ min",
        ] {
            assert!(rate(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_size_is_in_bytes() {
        assert_eq!(bytes("512").ok(), Some(512));
        assert_eq!(bytes("512B").ok(), Some(512));
        assert_eq!(bytes("32KiB").ok(), Some(32_768));
        assert_eq!(bytes("1 MiB").ok(), Some(1_048_576));
        for wrong in ["", "KiB", "32KB", "32kb", "0", "0KiB", "4096MiB", "-1"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
