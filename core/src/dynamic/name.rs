//! Names that every provider takes, for names that need not be such.
//!
//! A name of 1 to 64 letters, digits, `_` and `-` that begins with a letter or `_` is kept: Gemini
//! takes no other first character. Any other is written with `_` for each character that has no
//! place, and before a first one that may not be first, and ends in `--` and what the `_`s stand for:
//! `geo.find_city` is `geo_find_city--d`. So two names never become one, and the way back needs no table. That would
//! not hold if `geo_find_city--d` itself were kept: a name that is the form of another is written in
//! this form too.
//!
//! What would be longer than 64 characters ends in a hash of 128 bits instead. The way back from it
//! is the tool's record. The hash is no secret and no proof: who wants to can write two names that
//! become one, of which a set refuses the second.

use std::{borrow::Cow, fmt::Write as _};

/// The greatest length of a name.
pub(super) const MAX_CHARS: usize = 64;

/// The separator before the end of a name that is not kept as it is.
const MARK: &str = "--";
/// The separator before a hash. No code begins with it.
const HASH_MARK: &str = "--h";
/// What a `_` may stand for, and its code. It is written out for other characters.
const CODES: [(char, char); 5] = [('_', 'u'), ('.', 'd'), ('/', 's'), (':', 'c'), (' ', 'w')];
/// 128 bits in digits of 5.
const HASH_DIGITS: usize = 26;

/// The name under which a model sees the tool.
pub(super) fn shown(original: &str) -> Cow<'_, str> {
    if is_taken(original) && !is_form(original) {
        return Cow::Borrowed(original);
    }
    let mut text = String::new();
    let mut codes = String::new();
    if original.chars().next().is_none_or(is_never_first) {
        text.push('_');
        codes.push('p');
    }
    let form = |character| if has_place(character) { character } else { '_' };
    text.extend(original.chars().map(form));
    for character in original.chars() {
        if let Some((_, code)) = CODES.iter().find(|(known, _)| *known == character) {
            codes.push(*code);
        } else if !has_place(character) {
            let _ = write!(codes, "x{:x}z", u32::from(character));
        }
        if codes.len() > MAX_CHARS {
            break;
        }
    }
    let codes = codes.trim_end_matches('u');
    if text.len() + MARK.len() + codes.len() <= MAX_CHARS {
        return Cow::Owned(format!("{text}{MARK}{codes}"));
    }
    let kept = text.len().min(MAX_CHARS - HASH_MARK.len() - HASH_DIGITS);
    Cow::Owned(format!("{}{HASH_MARK}{}", &text[..kept], hash(original)))
}

/// The name that a form with codes stands for. It need not be one that has this form.
fn original(form: &str) -> Option<String> {
    let (text, codes) = form.rsplit_once(MARK)?;
    let mut codes = codes.chars();
    let mut name = String::new();
    for character in text.chars() {
        name.push(match character {
            '_' => match codes.next() {
                None => '_',
                Some('p') => continue,
                Some('x') => {
                    let digits: String = codes.by_ref().take_while(|digit| *digit != 'z').collect();
                    char::from_u32(u32::from_str_radix(&digits, 16).ok()?)?
                }
                Some(code) => CODES.iter().find(|(_, known)| *known == code)?.0,
            },
            other => other,
        });
    }
    codes.next().is_none().then_some(name)
}

/// Returns true if a name is the form of another. The other one is shorter.
fn is_form(name: &str) -> bool {
    let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'v');
    let hash = name.rsplit_once(HASH_MARK).map(|(_, hash)| hash);
    hash.is_some_and(|hash| hash.len() == HASH_DIGITS && hash.bytes().all(is_digit))
        || original(name).is_some_and(|original| shown(&original) == name)
}

/// Returns true if every provider takes the name.
fn is_taken(name: &str) -> bool {
    (1..=MAX_CHARS).contains(&name.len())
        && !name.starts_with(is_never_first)
        && name.chars().all(has_place)
}

/// Returns true if a character is allowed in a name, but not as the first one.
fn is_never_first(character: char) -> bool {
    character.is_ascii_digit() || character == '-'
}

fn has_place(character: char) -> bool {
    character.is_ascii_alphanumeric() || matches!(character, '_' | '-')
}

/// FNV-1a, which is the same on every machine and in every release of the compiler.
fn hash(text: &str) -> String {
    const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let hash = text.bytes().fold(START, |hash, byte| {
        (hash ^ u128::from(byte)).wrapping_mul(PRIME)
    });
    let digit = |place: usize| {
        let digit = (hash >> (5 * place)) % 32;
        char::from_digit(u32::try_from(digit).unwrap_or_default(), 32).unwrap_or_default()
    };
    (0..HASH_DIGITS).rev().map(digit).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{MAX_CHARS, is_form, is_taken, original, shown};

    #[test]
    fn a_name_that_is_taken_is_kept_and_another_can_be_read() {
        for (name, expected) in [
            ("get_weather", "get_weather"),
            ("API-post-search", "API-post-search"),
            ("a--b", "a--b"),
            (
                "currency_conversion.convert",
                "currency_conversion_convert--ud",
            ),
            ("geo.find_city", "geo_find_city--d"),
            ("geo_find_city--d", "geo_find_city--d--"),
            ("", "_--p"),
            ("1x", "_1x--p"),
            ("-x", "_-x--p"),
            ("--", "_----p"),
            ("_1x--p", "_1x--p--"),
            ("3d.render", "_3d_render--pd"),
            ("a b/c:d", "a_b_c_d--wsc"),
            ("größe", "gr__e--xf6zxdfz"),
        ] {
            assert_eq!(shown(name), expected, "{name}");
        }
        let long = "a".repeat(65);
        assert_eq!(shown(&long).len(), MAX_CHARS);
        assert_ne!(shown(&long), shown(&"a".repeat(66)));
    }

    /// A generator of no quality, which gives the same names in every run.
    struct Numbers(u64);

    impl Numbers {
        fn below(&mut self, bound: u32) -> u32 {
            self.0 = self
                .0
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            u32::try_from(self.0 >> 33).expect("31 bits") % bound
        }

        fn name(&mut self) -> String {
            let length = match self.below(4) {
                0 => self.below(90),
                _ => self.below(7),
            };
            // Characters that the forms are made of come often, so that names look like forms.
            let alphabet: Vec<char> = "_-.udxz0h/a ".chars().collect();
            let from_alphabet = self.below(4) > 0;
            (0..length)
                .map(|_| {
                    let index = self.below(u32::try_from(alphabet.len()).expect("it is short"));
                    if from_alphabet {
                        alphabet[index as usize]
                    } else {
                        char::from_u32(self.below(0x11_0000)).unwrap_or('é')
                    }
                })
                .collect()
        }
    }

    #[test]
    fn two_names_never_become_one_and_the_way_back_is_the_name() {
        let mut numbers = Numbers(7);
        let mut by_form: HashMap<String, String> = HashMap::new();
        let mut kept = 0;
        let mut pending: Vec<String> = Vec::new();
        for _ in 0..200_000 {
            let name = pending.pop().unwrap_or_else(|| numbers.name());
            let form = shown(&name).into_owned();
            assert!(is_taken(&form), "{name:?} {form:?}");
            if form == name {
                kept += 1;
            } else {
                assert!(is_form(&form), "{name:?} {form:?}");
                if let Some(back) = original(&form).filter(|back| shown(back) == form) {
                    assert_eq!(back, name, "{form:?}");
                }
                // The form of a form is the nearest to a name that two may share.
                pending.extend((numbers.below(2) == 0).then(|| form.clone()));
            }
            let earlier = by_form.insert(form, name.clone());
            assert!(earlier.is_none_or(|earlier| earlier == name));
        }
        assert!(kept > 1000, "{kept}");
    }
}
