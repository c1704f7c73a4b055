//! `rust_decimal`.

use rust_decimal::Decimal;

use super::texts::{Formatted, formatted};

// A text, because a number would go through a float on its way. The type takes numbers too.
// It rounds what has more digits than it holds, which its own decoder does not refuse.
formatted! {
    [] Decimal: pattern = r"^[+-]?[0-9]{1,28}(\.[0-9]{1,28})?$",
        "a decimal number of at most 28 digits as a string, such as \"19.99\"";
}
