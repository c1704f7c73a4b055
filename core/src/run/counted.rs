//! Numbers of things, in words.

/// The number of things and their name, in the plural unless there is one: `1 round`, `2 rounds`.
pub fn counted(number: impl Into<u64>, name: &str) -> String {
    let number = number.into();
    let s = if number == 1 { "" } else { "s" };
    format!("{number} {name}{s}")
}
