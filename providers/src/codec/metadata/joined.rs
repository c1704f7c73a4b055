//! Values that come in pieces.

use std::{borrow::Cow, collections::BTreeMap};

use serde_json::{Map, Value};
use toolwright_json::{bounded::parse_bounded, raw::Raw, reader::Reader, string::text_of};

/// The texts of a field that come in pieces, in the objects that do: what was said, and how it sounds.
const IN_PIECES: [&str; 2] = ["data", "transcript"];

/// Pieces of one value: lists, or texts; or any other value, alone.
type Pieces<'t> = Vec<Raw<'t>>;

/// Returns what several lists are together; of other values the last.
pub(super) fn list<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Value> {
    let mut pieces = Pieces::new();
    texts.for_each(|text| add(&mut pieces, Raw::new(text), false));
    together(&pieces)
}

/// Returns what several pieces of an object are together: its lists and its texts grow by those of later
/// pieces.
pub(super) fn object<'t>(texts: impl Iterator<Item = &'t str>) -> Option<Value> {
    let mut fields = BTreeMap::<Cow<'t, str>, Pieces<'t>>::new();
    let mut other = None;
    for text in texts {
        if !text.starts_with('{') {
            fields.clear();
            other = Some(text);
            continue;
        }
        other = None;
        // It is JSON, or it would not have come here.
        let _ = Reader::new(text).members(|reader, name| {
            let value = reader.value()?;
            let in_pieces = IN_PIECES.contains(&&*name);
            add(fields.entry(name).or_default(), value, in_pieces);
            Ok(())
        });
    }
    if let Some(other) = other {
        return parse_bounded(other);
    }
    let fields = fields.into_iter();
    let values = fields.filter_map(|(name, pieces)| Some((name.into_owned(), together(&pieces)?)));
    Some(values.collect::<Map<_, _>>().into())
}

/// Adds a piece: more of a list, or of a text if that comes in pieces. Any other value but `null` replaces
/// what came before.
fn add<'t>(pieces: &mut Pieces<'t>, more: Raw<'t>, in_pieces: bool) {
    let goes_on = |before: &Raw<'_>| match (more.get().as_bytes(), before.get().as_bytes()) {
        ([b'[', ..], [b'[', ..]) => true,
        ([b'"', ..], [b'"', ..]) => in_pieces,
        _ => false,
    };
    match pieces.last() {
        Some(_) if more.is_null() => return,
        Some(before) if goes_on(before) => {}
        _ => pieces.clear(),
    }
    pieces.push(more);
}

/// The value of pieces; `None` if it is nested too deep to be stored.
fn together(pieces: &[Raw<'_>]) -> Option<Value> {
    match pieces {
        [] => None,
        [one] => parse_bounded(one.get()),
        texts if texts[0].get().starts_with('"') => {
            let all: String = texts.iter().map(|text| text_of(*text)).collect();
            Some(all.into())
        }
        lists => {
            let mut all = String::from("[");
            for list in lists {
                let inside = &list.get()[1..list.get().len() - 1];
                let comma = if all.len() > 1 && !inside.trim().is_empty() {
                    ","
                } else {
                    ""
                };
                all.push_str(comma);
                all.push_str(inside);
            }
            all.push(']');
            parse_bounded(&all).or_else(|| {
                // One of them is too deep, and is left out.
                let lists = lists.iter().filter_map(|list| parse_bounded(list.get()));
                Some(lists.flat_map(|list: Vec<Value>| list).collect())
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{list, object};

    fn check(joined: impl Into<Option<Value>>, expected: impl Into<Option<Value>>) {
        assert_eq!(joined.into(), expected.into());
    }

    #[test]
    fn lists_are_joined_and_other_values_replaced() {
        check(
            list(["[1, 2]", "[ ]", "[[3]]"].into_iter()),
            json!([1, 2, [3]]),
        );
        check(list(["\"a\"", "[1]"].into_iter()), json!([1]));
        check(list(["[1]", "2"].into_iter()), json!(2));
    }

    #[test]
    fn an_object_grows_by_its_pieces() {
        let pieces = [
            r#"{"content":[{"a":1}],"refusal":null,"data":"x","id":"1"}"#,
            r#"{"content":[{"a":2},3],"refusal":[1],"data":"\u00e9","id":"2"}"#,
            r#"{"content":null,"refusal":[2],"data":null}"#,
        ];
        let expected =
            json!({"content": [{"a": 1}, {"a": 2}, 3], "refusal": [1, 2], "data": "xé", "id": "2"});
        check(object(pieces.into_iter()), expected);
        check(object(["{\"a\":1}", "2"].into_iter()), json!(2));
        check(object(["2", "{\"a\":1}"].into_iter()), json!({"a": 1}));
    }

    #[test]
    fn what_is_nested_too_deep_is_left_out_alone() {
        let deep = format!("[{}{}]", "[".repeat(200), "]".repeat(200));
        check(list(["[1]", &deep, "[2]"].into_iter()), json!([1, 2]));
    }
}
