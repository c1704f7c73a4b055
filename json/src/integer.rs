//! Whole numbers, however they are written.

use crate::tokens::Tokens;

/// The whole number that JSON text stands for: `1`, `1.0`, `12e2`. `None` for a number with a
/// fraction, and for one that no integer type holds. Nothing is rounded.
pub fn whole(text: &str) -> Option<i128> {
    if let Ok(number) = text.parse::<i64>() {
        return Some(number.into());
    }
    let (negative, text) = match text.strip_prefix('-') {
        Some(text) => (true, text),
        None => (false, text),
    };
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = [integer, fraction].concat();
    let kept = digits.trim_end_matches('0');
    if kept.is_empty() {
        return (!digits.is_empty()).then_some(0);
    }
    // How many zeros follow the digits that are kept, the point taken into account.
    let dropped = i32::try_from(digits.len() - kept.len()).ok()?;
    let fraction = i32::try_from(fraction.len()).ok()?;
    let zeros = exponent.checked_add(dropped)?.checked_sub(fraction)?;
    let power = 10_i128.checked_pow(u32::try_from(zeros).ok()?)?;
    let number = kept.parse::<i128>().ok()?.checked_mul(power)?;
    Some(if negative { -number } else { number })
}

/// JSON text with whole numbers written as integers, if 64 bits hold them.
pub fn integers(json: &str) -> String {
    let (mut new, mut written) = (String::with_capacity(json.len()), 0);
    let mut tokens = Tokens::new(json);
    while let Some(token) = tokens.next() {
        let is_number = token.starts_with(|first: char| first == '-' || first.is_ascii_digit());
        let fits = |number: &i128| (i64::MIN.into()..=u64::MAX.into()).contains(number);
        if let Some(number) = is_number.then(|| whole(token)).flatten().filter(fits) {
            new.push_str(&json[written..tokens.at() - token.len()]);
            new.push_str(&number.to_string());
            written = tokens.at();
        }
    }
    new + &json[written..]
}

#[cfg(test)]
mod tests {
    use super::whole;

    #[test]
    fn numbers_outside_texts_are_written_as_integers() {
        assert_eq!(
            super::integers(r#"{"1.0\\":[1.0,-2e1, 1.5,"\"3.0",1e30,-0],"é":4.00}"#),
            r#"{"1.0\\":[1,-20, 1.5,"\"3.0",1e30,0],"é":4}"#
        );
    }

    #[test]
    fn nothing_is_rounded() {
        for (text, expected) in [
            ("0", Some(0)),
            ("-0.0", Some(0)),
            ("0e999999999", Some(0)),
            ("1.0", Some(1)),
            ("-12e2", Some(-1200)),
            ("1.25e2", Some(125)),
            ("120e-1", Some(12)),
            ("1e19", Some(10_000_000_000_000_000_000)),
            ("9007199254740993.0", Some(9_007_199_254_740_993)),
            ("1.5", None),
            ("1e-1", None),
            ("9007199254740992.5", None),
            ("1.00000000000000000001", None),
            ("1e40", None),
            ("1e99999999999", None),
        ] {
            assert_eq!(whole(text), expected, "{text}");
        }
    }
}
