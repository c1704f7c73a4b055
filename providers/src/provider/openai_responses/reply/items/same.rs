//! Detection of items that come again.
//!
//! A stream says each item several times: when it begins, in pieces, when it is whole, and once more at
//! the end. Servers leave out some of these, number items otherwise or not at all, and give them other
//! ids each time. So the strongest evidence goes first, for all items, and what is left is judged by the
//! next. Two items that came are never one.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::Value;
use toolwright_json::{bounded::parse_bounded, string::text_of, surrogates::rest_of};

use super::{
    super::super::item::joined_words,
    seen::{Came, Kind, Seen},
    whole::text_and_refusal,
};

/// The maximum number of open items that are compared with a new one. It limits the work that a broken server
/// can cause.
pub(super) const MOST_COMPARED: usize = 64;

/// Pairs items that come at the end with those that have come before: for each its number among `seen`.
pub(super) fn pairs(seen: &[Seen], came: &[Came<'_>]) -> Vec<Option<usize>> {
    let mut pairs = Pairs {
        seen,
        came,
        taken: vec![false; seen.len()],
        found: vec![None; came.len()],
    };
    let known: Vec<_> = seen.iter().map(content_of_seen).collect();
    let new: Vec<_> = came.iter().map(content_of).collect();
    let with_id = |kind, name: &str, ids: [&str; 2], content: &[String]| {
        let ids = ids.map(str::to_owned);
        let content = content.first().cloned().unwrap_or_default();
        let says = ids.iter().any(|id| !id.is_empty());
        says.then(|| (kind, type_key(kind, name), ids, content))
    };
    pairs.by_key(
        |n, seen| {
            with_id(
                seen.kind,
                &seen.type_name,
                [&seen.call_id, &seen.id],
                &known[n],
            )
        },
        |n, came| {
            with_id(
                came.kind,
                &came.type_name,
                [&came.call_id, &came.id],
                &new[n],
            )
        },
        |_, _| true,
    );
    let by = |kind, name: &str, id: &str| {
        (!id.is_empty()).then(|| (kind, type_key(kind, name), id.to_owned()))
    };
    let repeated = repeated_ids(seen, came);
    let goes_on = |seen: &Seen, came: &Came<'_>| {
        // An id that several items have says nothing against what they say themselves.
        let is_one = |id: &str| id.is_empty() || !repeated.contains(id);
        let are_own = is_one(&came.id) && is_one(&came.call_id);
        let says_it = !seen.words.is_empty() && begins(seen, came, &words_of(came));
        seen.may_be(came) && (says_it || are_own && (seen.done || seen.words.is_empty()))
    };
    pairs.by_key(
        |_, seen| by(seen.kind, &seen.type_name, &seen.call_id),
        |_, came| by(came.kind, &came.type_name, &came.call_id),
        goes_on,
    );
    pairs.by_key(
        |_, seen| by(seen.kind, &seen.type_name, &seen.id),
        |_, came| by(came.kind, &came.type_name, &came.id),
        goes_on,
    );
    for kind in 0..2 {
        pairs.by_key(
            |n, seen| Some((seen.kind, known[n].get(kind)?.clone())),
            |n, came| Some((came.kind, new[n].get(kind)?.clone())),
            |_, _| true,
        );
    }
    pairs.by_beginning();
    pairs.by_place();
    pairs.found
}

/// Items on both sides, while they are paired.
struct Pairs<'s, 'c, 'a> {
    seen: &'s [Seen],
    came: &'c [Came<'a>],
    taken: Vec<bool>,
    found: Vec<Option<usize>>,
}

impl<'a> Pairs<'_, '_, 'a> {
    /// Pairs those that have the same key, in their order.
    fn by_key<K: Eq + std::hash::Hash>(
        &mut self,
        of_seen: impl Fn(usize, &Seen) -> Option<K>,
        of_came: impl Fn(usize, &Came<'a>) -> Option<K>,
        may_be: impl Fn(&Seen, &Came<'a>) -> bool,
    ) {
        let mut by_key: HashMap<K, VecDeque<usize>> = HashMap::new();
        for (number, seen) in self.seen.iter().enumerate() {
            if !self.taken[number]
                && let Some(key) = of_seen(number, seen)
            {
                by_key.entry(key).or_default().push_back(number);
            }
        }
        for (number, came) in self.came.iter().enumerate() {
            if self.found[number].is_some() {
                continue;
            }
            let candidates = of_came(number, came).and_then(|key| by_key.get_mut(&key));
            if let Some(candidates) = candidates
                && let Some(at) = (candidates.iter().take(MOST_COMPARED))
                    .position(|&candidate| may_be(&self.seen[candidate], came))
                && let Some(found) = candidates.remove(at)
            {
                self.take(found, number);
            }
        }
    }

    /// Pairs those that have begun and not ended with those that go on as they began: first those for which
    /// more speaks than that nothing has been told of them.
    fn by_beginning(&mut self) {
        let is_open = |number: &usize| !self.taken[*number] && !self.seen[*number].done;
        let mut open: VecDeque<usize> = (0..self.seen.len()).filter(is_open).collect();
        for round in 0..4 {
            for (place, came) in self.came.iter().enumerate() {
                if self.found[place].is_some() || open.is_empty() {
                    continue;
                }
                let text = words_of(came);
                let is_place = |seen: &Seen| seen.index == Some(place as u64);
                let speaks_for = |seen: &Seen| match round {
                    0 => !seen.words.is_empty(),
                    1 => is_place(seen),
                    2 => seen.may_be(came),
                    _ => true,
                };
                let first = open.iter().take(MOST_COMPARED).enumerate();
                let begun = first.filter(|(_, number)| {
                    let seen = &self.seen[**number];
                    seen.kind == came.kind && speaks_for(seen) && begins(seen, came, &text)
                });
                let found = begun.min_by_key(|(_, number)| !is_place(&self.seen[**number]));
                if let Some((at, &number)) = found {
                    open.remove(at);
                    self.taken[number] = true;
                    self.found[place] = Some(number);
                }
            }
        }
    }

    /// Pairs what only the provider can read, by its place and then in its order: servers give such items
    /// other ids and encrypt them anew.
    fn by_place(&mut self) {
        let mut reasoning: VecDeque<usize> = VecDeque::new();
        let mut at: HashMap<u64, usize> = HashMap::new();
        for (number, seen) in self.seen.iter().enumerate() {
            if self.taken[number] || !matches!(seen.kind, Kind::Reasoning | Kind::Other) {
                continue;
            }
            if let Some(index) = seen.index {
                at.insert(index, number);
            }
            if seen.kind == Kind::Reasoning {
                reasoning.push_back(number);
            }
        }
        for place in 0..self.came.len() {
            let came = &self.came[place];
            if self.found[place].is_none()
                && let Some(&number) = at.get(&(place as u64))
                && !self.taken[number]
                && may_be_again(&self.seen[number], came)
            {
                self.take(number, place);
            }
        }
        for place in 0..self.came.len() {
            let came = &self.came[place];
            if self.found[place].is_some() || came.kind != Kind::Reasoning {
                continue;
            }
            while let Some(&first) = reasoning.front() {
                if self.taken[first] {
                    reasoning.pop_front();
                    continue;
                }
                if may_be_again(&self.seen[first], came) {
                    self.take(first, place);
                }
                break;
            }
        }
    }

    fn take(&mut self, seen: usize, came: usize) {
        self.taken[seen] = true;
        self.found[came] = Some(seen);
    }
}

/// The ids that more than one item has, of those that have come or of those that come now.
fn repeated_ids<'a>(seen: &'a [Seen], came: &'a [Came<'_>]) -> HashSet<&'a str> {
    let mut repeated = HashSet::new();
    let mut note = |ids: &mut dyn Iterator<Item = &'a String>| {
        let mut once = HashSet::new();
        repeated.extend(ids.map(String::as_str).filter(|id| !once.insert(*id)));
    };
    note(&mut seen.iter().map(|seen| &seen.id));
    note(&mut came.iter().map(|came| &came.id));
    let is_call = |kind| kind == Kind::Call;
    let calls = seen.iter().filter(|seen| is_call(seen.kind));
    note(&mut calls.map(|seen| &seen.call_id));
    let calls = came.iter().filter(|came| is_call(came.kind));
    note(&mut calls.map(|came| &came.call_id));
    repeated
}

/// Returns true if the known words of an item are the beginning of the new one, and the known item has the
/// same name or none.
pub(super) fn begins(seen: &Seen, came: &Came<'_>, text: &str) -> bool {
    let is_name = seen.name.is_empty() || seen.name == came.name;
    is_name && rest_of(text, &seen.words).is_some()
}

/// The text of an item that came: what would have been emitted for it.
pub(super) fn words_of(came: &Came<'_>) -> String {
    match came.kind {
        Kind::Message => text_and_refusal(came).0,
        Kind::Reasoning => parse_bounded(came.raw.get())
            .map(|item: Value| joined_words(&item))
            .unwrap_or_default(),
        Kind::Call => {
            let arguments = came.fields.arguments.or(came.fields.input);
            arguments.map(text_of).unwrap_or_default().into_owned()
        }
        Kind::Other => String::new(),
    }
}

/// Returns the content of an item without its ids, in a form that does not depend on its writer.
pub(super) fn body_of(came: &Came<'_>) -> String {
    let Some(mut item) = parse_bounded::<Value>(came.raw.get()) else {
        return String::new();
    };
    if came.kind == Kind::Reasoning {
        return (item["encrypted_content"].as_str())
            .unwrap_or_default()
            .to_owned();
    }
    if came.kind == Kind::Other
        && let Some(fields) = item.as_object_mut()
    {
        for name in ["id", "call_id", "status"] {
            fields.remove(name);
        }
        return item.to_string();
    }
    String::new()
}

/// Returns true if an item has the same content and the same ids as one that has come. With an id its content
/// may be longer or shorter, but not different: servers give several items one id.
pub(super) fn is_repeated(seen: &Seen, came: &Came<'_>) -> bool {
    let goes_on = || {
        let (known, new) = (seen.words.trim(), words_of(came));
        let is_for_provider = matches!(seen.kind, Kind::Reasoning | Kind::Other);
        is_for_provider || known.starts_with(new.trim()) || new.trim().starts_with(known)
    };
    seen.done
        && seen.kind == came.kind
        && seen.id == came.id
        && seen.call_id == came.call_id
        && (content_of_seen(seen).first() == content_of(came).first()
            || !seen.id.is_empty() && goes_on())
}

/// Returns true if an item that only the provider can read may be one that has come before.
fn may_be_again(seen: &Seen, came: &Came<'_>) -> bool {
    if !seen.may_be(came) {
        return false;
    }
    let is_other_id = !seen.id.is_empty() && !came.id.is_empty() && seen.id != came.id;
    if came.kind == Kind::Other {
        return !is_other_id;
    }
    let body = body_of(came);
    let is_other_body = !seen.body.is_empty() && !body.is_empty() && seen.body != body;
    let words = words_of(came);
    let is_other = is_other_body || (seen.done && seen.words != words);
    !(is_other_id && is_other) && rest_of(&words, &seen.words).is_some()
}

/// Returns the content of an item for comparisons: one form of it or, for reasoning, its words and its
/// encrypted part.
fn content(kind: Kind, type_name: &str, name: &str, words: String, rest: &str) -> Vec<String> {
    match kind {
        Kind::Message if words.is_empty() && rest.is_empty() => Vec::new(),
        Kind::Message => vec![format!("{}\0{}", words.trim(), rest.trim())],
        Kind::Reasoning => {
            let parts = [("words", words.as_str()), ("body", rest)];
            let parts = parts.into_iter().filter(|(_, part)| !part.is_empty());
            parts
                .map(|(what, part)| format!("{what}\0{part}"))
                .collect()
        }
        Kind::Call => vec![format!("{name}\0{}", canonical(words))],
        Kind::Other if rest.is_empty() => Vec::new(),
        Kind::Other => vec![format!("{type_name}\0{rest}")],
    }
}

fn content_of_seen(seen: &Seen) -> Vec<String> {
    let rest = match seen.kind {
        Kind::Message => &seen.refusal,
        _ => &seen.body,
    };
    let words = match &*seen.words {
        "" => &seen.begun_with,
        _ => &seen.words,
    };
    content(seen.kind, &seen.type_name, &seen.name, words.clone(), rest)
}

fn content_of(came: &Came<'_>) -> Vec<String> {
    let (words, rest) = match came.kind {
        Kind::Message => text_and_refusal(came),
        _ => (words_of(came), body_of(came)),
    };
    content(came.kind, &came.type_name, &came.name, words, &rest)
}

/// Arguments, whoever wrote them and with whatever white space.
fn canonical(arguments: String) -> String {
    if arguments.trim().is_empty() {
        return "{}".to_owned();
    }
    serde_json::from_str::<Value>(&arguments).map_or(arguments, |value| value.to_string())
}

/// Returns the key that separates items of one kind that are never the same.
fn type_key(kind: Kind, type_name: &str) -> String {
    match kind {
        Kind::Other => type_name.to_owned(),
        _ => String::new(),
    }
}
