//! Arguments that a client shows, compared with those of the run.

use serde_json::Value;
use toolwright_json::{JsonText, nesting};

/// A client writes a text of this length as one of so many times the bytes at the most: `1e20` comes back with all its
/// zeros, and a letter may come back as an escape.
const GROWS: usize = 12;

/// The depth that a value of arguments can have.
const MAX_DEPTH: usize = 127;

/// Returns true if two texts are the same arguments for a client in JavaScript.
///
/// What is claimed is read only if it is about as long as ours, so that reading it costs no more than ours did.
pub(super) fn is_same(claimed: &JsonText, ours: &JsonText) -> bool {
    let (claimed_text, our_text) = (claimed.as_str(), ours.as_str());
    if claimed_text.len() > our_text.len().saturating_mul(GROWS).saturating_add(64) {
        return false;
    }
    // A value has no more than this, and what is deeper has to be the same text.
    if nesting::is_deeper(our_text, MAX_DEPTH) || nesting::is_deeper(claimed_text, MAX_DEPTH) {
        return claimed.to_compact() == ours.to_compact();
    }
    is_same_value(&claimed.to_value(), &ours.to_value())
}

/// Returns true if two values are the same for a client in JavaScript, which has one kind of number and no infinite one in
/// JSON.
fn is_same_value(claimed: &Value, ours: &Value) -> bool {
    match (claimed, ours) {
        (Value::Number(a), Value::Number(b)) => a == b || is_same_float(a.as_f64(), b.as_f64()),
        (Value::Null, Value::Number(number)) => {
            number.as_f64().is_some_and(|n| n.abs() >= f64::MAX)
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_value(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len()
                && (a.iter()).all(|(key, a)| b.get(key).is_some_and(|b| is_same_value(a, b)))
        }
        (a, b) => a == b,
    }
}

/// Two texts of one number may be read as neighbours.
fn is_same_float(a: Option<f64>, b: Option<f64>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return false;
    };
    (a - b).abs() <= f64::EPSILON * a.abs().max(b.abs())
}
