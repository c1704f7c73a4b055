//! Parts without quotes: numbers, literals, keys.

use toolwright_json::path::cut;

use super::{Fallible, Reader};
use crate::tool::ChangeKind;

/// Returns true if a key without quotes may start with this character.
pub(super) fn is_key_start(char: char) -> bool {
    char.is_alphabetic() || matches!(char, '_' | '$')
}

fn is_in_word(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$' | '-')
}

impl<'t> Reader<'t> {
    fn word(&self, is_part: impl Fn(char) -> bool) -> &'t str {
        let rest = self.rest();
        &rest[..rest.find(|char| !is_part(char)).unwrap_or(rest.len())]
    }

    /// A key without quotes. The colon that has to follow shows that it is one.
    pub(super) fn bare_key(&mut self) -> Fallible<()> {
        let key = self.word(is_in_word);
        // As a key of Python's they are `true`, `false` and `null`, by their own letters they are not.
        if matches!(key, "True" | "False" | "None") {
            return self.refuse("expected a key in quotes");
        }
        self.at += key.len();
        self.out.push('"');
        self.out.push_str(key);
        self.out.push('"');
        Ok(())
    }

    pub(super) fn literal(&mut self) -> Fallible<()> {
        let word = self.word(is_in_word);
        let json = match word {
            "true" | "True" => "true",
            "false" | "False" => "false",
            "null" | "None" => "null",
            _ => {
                let shown = if word.is_empty() { self.rest() } else { word };
                return self.refuse(format!("expected a value, got {}", cut(shown)));
            }
        };
        self.at += word.len();
        let start = self.out.len();
        self.out.push_str(json);
        if json != word {
            self.respelled.push(start);
            self.changed(ChangeKind::Literal);
        }
        Ok(())
    }

    pub(super) fn number(&mut self) -> Fallible<()> {
        let word = self.word(|char| is_in_word(char) || matches!(char, '+' | '.'));
        let start = self.out.len();
        let Some(is_changed) = write_number(word, &mut self.out) else {
            return self.refuse(format!("expected a number, got {}", cut(word)));
        };
        if !self.out[start..].parse().is_ok_and(f64::is_finite) {
            return self.refuse("expected a number that a 64-bit float can hold");
        }
        self.at += word.len();
        if is_changed {
            self.respelled.push(start);
            self.changed(ChangeKind::Number);
        }
        Ok(())
    }
}

/// Writes a number as JSON has it, and says whether it was written otherwise. `None` if it is none.
fn write_number(word: &str, out: &mut String) -> Option<bool> {
    let (sign, unsigned) = match word.strip_prefix('-') {
        Some(unsigned) => ("-", unsigned),
        None => ("", word.strip_prefix('+').unwrap_or(word)),
    };
    let end = unsigned.find(['e', 'E']).unwrap_or(unsigned.len());
    let (mantissa, exponent) = unsigned.split_at(end);
    let (integer, fraction) = match mantissa.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (mantissa, None),
    };
    let are_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let has_power = exponent.is_empty() || {
        let power = &exponent[1..];
        let power = power.strip_prefix(['+', '-']).unwrap_or(power);
        !power.is_empty() && are_digits(power)
    };
    let digits = integer.len() + fraction.map_or(0, str::len);
    let has_leading_zero = integer.len() > 1 && integer.starts_with('0');
    let is_number = digits > 0
        && are_digits(integer)
        && fraction.is_none_or(are_digits)
        && has_power
        && !has_leading_zero;
    if !is_number {
        return None;
    }
    out.push_str(sign);
    out.push_str(if integer.is_empty() { "0" } else { integer });
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(if fraction.is_empty() { "0" } else { fraction });
    }
    out.push_str(exponent);
    Some(word.starts_with('+') || integer.is_empty() || fraction == Some(""))
}
