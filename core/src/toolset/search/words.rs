//! The words of a text, in the form in which they are compared.

/// Words that say nothing of what a tool does.
const STOP_WORDS: [&str; 64] = [
    "a", "about", "all", "also", "an", "and", "any", "are", "as", "at", "be", "by", "can", "could",
    "do", "does", "for", "from", "give", "has", "have", "her", "his", "how", "i", "if", "in",
    "into", "is", "it", "its", "like", "me", "my", "need", "of", "on", "one", "or", "our", "out",
    "please", "she", "so", "some", "tell", "that", "the", "their", "them", "there", "these",
    "they", "this", "to", "us", "want", "was", "what", "which", "will", "with", "would", "you",
];

/// The limit, in bytes, of a word. What is longer is no word of a language.
const LONGEST: usize = 48;

/// Gives each word of a text to `found`, until that returns false. Words end where letters and digits end, and before a
/// capital letter inside, so that `listPullRequests` has three.
pub(super) fn each(text: &str, mut found: impl FnMut(String) -> bool) {
    let mut word = String::new();
    let mut before = ' ';
    for char in text.chars().chain([' ']) {
        let begins = char.is_uppercase() && before.is_lowercase();
        if (begins || !char.is_alphanumeric())
            && let Some(word) = form(&std::mem::take(&mut word))
            && !found(word)
        {
            return;
        }
        if char.is_alphanumeric() && word.len() <= LONGEST {
            word.extend(char.to_lowercase());
        }
        before = char;
    }
}

/// The form of a word that is compared: without the common endings of English. `None` for one that says nothing.
fn form(word: &str) -> Option<String> {
    if word.is_empty() || word.len() > LONGEST || STOP_WORDS.binary_search(&word).is_ok() {
        return None;
    }
    Some(stem(word))
}

/// Cuts common endings off, so that `currencies`, `converting` and `converted` are found by `currency` and `convert`.
fn stem(word: &str) -> String {
    let mut word = word.to_owned();
    if !word.is_ascii() || word.bytes().any(|byte| byte.is_ascii_digit()) {
        return word;
    }
    if let Some(root) = cut(&word, "ies", 2) {
        word = format!("{root}y");
    } else if let Some(root) = ["sses", "xes", "ches", "shes"]
        .iter()
        .find_map(|ending| word.ends_with(ending).then(|| word.len() - 2))
    {
        word.truncate(root);
    } else if !word.ends_with("ss") && !word.ends_with("us") && !word.ends_with("is") {
        word = cut(&word, "s", 2).unwrap_or(&word).to_owned();
    }
    for ending in ["ing", "ed"] {
        if let Some(root) = cut(&word, ending, 3).filter(|root| has_vowel(root)) {
            word = undoubled(root).to_owned();
            break;
        }
    }
    for ending in ["ation", "ion", "or", "er"] {
        if let Some(root) = cut(&word, ending, 4) {
            word = root.to_owned();
            break;
        }
    }
    // `calculate` and what is left of `calculation` are one word.
    for ending in ["ate", "at", "e"] {
        if let Some(root) = cut(&word, ending, 3) {
            word = root.to_owned();
            break;
        }
    }
    word
}

/// What is before an ending, if that has so many letters.
fn cut<'w>(word: &'w str, ending: &str, least: usize) -> Option<&'w str> {
    word.strip_suffix(ending).filter(|root| root.len() >= least)
}

fn has_vowel(text: &str) -> bool {
    text.contains(['a', 'e', 'i', 'o', 'u', 'y'])
}

/// `plann` becomes `plan`.
fn undoubled(root: &str) -> &str {
    let bytes = root.as_bytes();
    match bytes {
        [.., one, other] if one == other && !b"aeiouls".contains(other) => &root[..root.len() - 1],
        _ => root,
    }
}

#[cfg(test)]
mod tests {
    use super::{STOP_WORDS, each};

    fn words(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each(text, |word| {
            all.push(word);
            true
        });
        all
    }

    #[test]
    fn stop_words_are_sorted() {
        assert!(STOP_WORDS.is_sorted());
    }

    #[test]
    fn names_are_split() {
        assert_eq!(words("listPullRequests"), words("list_pull-requests"));
        assert_eq!(words("list.pull.requests").len(), 3);
        assert_eq!(words("HTTP2 über"), ["http2", "über"]);
    }

    #[test]
    fn forms_of_a_word_are_equal() {
        for (one, other) in [
            ("currencies", "currency"),
            ("converting", "converted"),
            ("converts", "convert"),
            ("calculate", "calculation"),
            ("calculating", "calculator"),
            ("planned", "planning"),
            ("branches", "branch"),
            ("issues", "issue"),
            ("searches", "searching"),
        ] {
            assert_eq!(words(one), words(other), "{one} and {other}");
        }
        assert_ne!(words("status"), words("state"));
        assert_ne!(words("string"), words("str"));
    }

    #[test]
    fn words_that_say_nothing_are_none() {
        assert_eq!(words("What is the of?"), [""; 0]);
        assert_eq!(words(&"x".repeat(1_000_000)), [""; 0]);
    }
}
