//! Names of tools from names of types.

/// The nearest name in snake case; empty if there is none.
pub(crate) fn snake_case(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut name = String::new();
    for (place, &char) in chars.iter().enumerate() {
        // A word starts after a small letter or a digit, and where a row of capitals ends.
        let before = place.checked_sub(1).map(|place| chars[place]);
        let after = chars.get(place + 1);
        let starts_a_word = match before {
            Some('a'..='z' | '0'..='9') => true,
            Some('A'..='Z') => after.is_some_and(char::is_ascii_lowercase),
            _ => false,
        };
        if char.is_ascii_uppercase() && starts_a_word {
            name.push('_');
        }
        match char.to_ascii_lowercase() {
            kept @ ('a'..='z' | '0'..='9') => name.push(kept),
            _ if name.ends_with('_') => {}
            _ => name.push('_'),
        }
    }
    let start = name.find(|first: char| first.is_ascii_lowercase());
    let name = start.map_or("", |start| &name[start..]);
    name.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found() {
        for (given, better) in [
            ("GetWeather", "get_weather"),
            ("getWeather2", "get_weather2"),
            ("get-weather", "get_weather"),
            ("get weather!", "get_weather"),
            ("_private", "private"),
            ("2fast", "fast"),
            ("HTTPFetch", "http_fetch"),
            ("ReadURL", "read_url"),
            ("größe", "gr_e"),
            ("天気", ""),
        ] {
            assert_eq!(snake_case(given), better, "{given}");
        }
    }
}
