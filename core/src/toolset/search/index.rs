//! The index of a search: which definitions have which words, and how often.

use std::{
    collections::{BTreeMap, HashMap},
    ops::Bound,
};

use serde_json::Value;
use toolwright_json::char_boundary;

use super::words;
use crate::tool::ToolDefinition;

/// How soon a word that is repeated counts no more.
const SATURATION: f64 = 1.2;
/// How much the length of a definition counts, from 0 to 1.
const LENGTH: f64 = 0.4;
/// The limit on the different words of a text that is searched for.
const QUERY_WORDS: usize = 64;
/// The limit, in bytes, of a text that is searched for.
const QUERY_BYTES: usize = 16 * 1024;
/// The limit on the words of one definition that are read.
const DEFINITION_WORDS: usize = 2_000;
/// The limit on the nodes of a schema that are read.
const NODES: usize = 500;

/// How much a word says, by its place.
const NAME: f64 = 5.0;
const TITLE: f64 = 3.0;
const DESCRIPTION: f64 = 2.0;
const PARAMETER: f64 = 1.0;
const PARAMETER_DESCRIPTION: f64 = 0.5;
/// How much a word says that only begins as the one that is searched for, before their lengths are compared.
const PREFIX: f64 = 0.5;
/// The least bytes of such a beginning.
const PREFIX_BYTES: usize = 4;

/// The index of a list of definitions.
#[derive(Debug, Clone)]
pub(crate) struct SearchIndex {
    /// The definitions that have a word, in their order, with its weight in each.
    words: BTreeMap<String, Vec<(usize, f64)>>,
    /// The sum of all weights of a definition.
    lengths: Vec<f64>,
    names: HashMap<String, usize>,
}

impl SearchIndex {
    pub(crate) fn of<'d>(definitions: impl Iterator<Item = &'d ToolDefinition>) -> Self {
        let mut index = Self {
            words: BTreeMap::new(),
            lengths: Vec::new(),
            names: HashMap::new(),
        };
        for (place, definition) in definitions.enumerate() {
            let weights = weights(definition);
            index.lengths.push(weights.values().sum());
            let name = definition.name.to_lowercase();
            index.names.entry(name).or_insert(place);
            for (word, weight) in weights {
                index.words.entry(word).or_default().push((place, weight));
            }
        }
        index
    }

    /// The places of the definitions that fit a text best, the best first.
    pub(crate) fn search(&self, text: &str, limit: usize) -> Vec<usize> {
        let text = &text[..char_boundary::floor(text, QUERY_BYTES)];
        let count = self.lengths.len();
        let mean = self.lengths.iter().sum::<f64>() / as_f64(count.max(1));
        let mut scores = vec![0.0_f64; count];
        for word in query(text) {
            // Of the words that fit one of the query, each definition counts the best.
            let mut best = BTreeMap::<usize, f64>::new();
            for (places, share) in self.like(&word) {
                let having = as_f64(places.len());
                let rarity = ((as_f64(count) - having + 0.5) / (having + 0.5)).ln_1p();
                for &(place, weight) in places {
                    let length = 1.0 - LENGTH + LENGTH * self.lengths[place] / mean;
                    let score = share * rarity * weight * (SATURATION + 1.0)
                        / (weight + SATURATION * length);
                    let best = best.entry(place).or_default();
                    *best = best.max(score);
                }
            }
            for (place, score) in best {
                scores[place] += score;
            }
        }
        // Whoever writes a name means that tool, unless it is a word of a sentence.
        for name in text.split(|char: char| !is_of_name(char)) {
            let is_name = name.contains(['_', '-']) || name == text.trim();
            let place = self.names.get(&name.to_lowercase());
            if let Some(&place) = place.filter(|_| is_name) {
                scores[place] += NAME * as_f64(count).ln_1p();
            }
        }
        let mut found: Vec<_> = (0..count).filter(|&place| scores[place] > 0.0).collect();
        // A stable sort: equal ones stay in their order.
        found.sort_by(|&one, &other| scores[other].total_cmp(&scores[one]));
        found.truncate(limit);
        found
    }

    /// The places of a word and of those that begin as it does, or with which it begins, and how much they say.
    fn like(&self, word: &str) -> impl Iterator<Item = (&Vec<(usize, f64)>, f64)> {
        let share = |other: &str| {
            let (one, other) = (word.len().min(other.len()), word.len().max(other.len()));
            PREFIX * as_f64(one) / as_f64(other)
        };
        let is_long = word.len() >= PREFIX_BYTES;
        let after = (Bound::Excluded(word), Bound::Unbounded);
        let longer = self.words.range::<str, _>(after);
        let longer = longer.take_while(move |(other, _)| is_long && other.starts_with(word));
        let ends = (PREFIX_BYTES..word.len()).filter(|&end| word.is_char_boundary(end));
        let shorter = ends.filter_map(|end| self.words.get_key_value(&word[..end]));
        let others = longer.chain(shorter);
        let others = others.map(move |(other, places)| (places, share(other)));
        self.words
            .get(word)
            .map(|places| (places, 1.0))
            .into_iter()
            .chain(others)
    }
}

fn is_of_name(char: char) -> bool {
    char.is_ascii_alphanumeric() || matches!(char, '_' | '-')
}

/// The different words of a text that is searched for, in their order.
fn query(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    words::each(text, |word| {
        if !all.contains(&word) {
            all.push(word);
        }
        all.len() < QUERY_WORDS
    });
    all
}

/// The words of a definition, with what they say of it.
fn weights(definition: &ToolDefinition) -> BTreeMap<String, f64> {
    let mut read = Words {
        weights: BTreeMap::new(),
        left: DEFINITION_WORDS,
    };
    read.add(&definition.name, NAME);
    read.add(definition.title.as_deref().unwrap_or_default(), TITLE);
    read.add(&definition.description, DESCRIPTION);
    // The schema of a stranger is bounded and parsed already; one by hand may be no JSON, and says nothing then.
    if let Ok(schema) = serde_json::from_str(definition.input_schema.as_str()) {
        read.add_schema(&schema);
    }
    read.weights
}

struct Words {
    weights: BTreeMap<String, f64>,
    left: usize,
}

impl Words {
    fn add(&mut self, text: &str, weight: f64) {
        words::each(text, |word| {
            if self.left == 0 {
                return false;
            }
            self.left -= 1;
            *self.weights.entry(word).or_default() += weight;
            true
        });
    }

    /// The names and descriptions of all parameters, those of inner objects too.
    fn add_schema(&mut self, schema: &Value) {
        // The description of the whole repeats that of the tool.
        let mut open: Vec<&Value> = children(schema).collect();
        self.add_names(schema);
        let mut nodes = NODES;
        while let Some(node) = open.pop() {
            if nodes == 0 {
                return;
            }
            nodes -= 1;
            if let Some(text) = node.get("description").and_then(Value::as_str) {
                self.add(text, PARAMETER_DESCRIPTION);
            }
            for value in node
                .get("enum")
                .and_then(Value::as_array)
                .into_iter()
                .flatten()
            {
                self.add(value.as_str().unwrap_or_default(), PARAMETER_DESCRIPTION);
            }
            self.add_names(node);
            open.extend(children(node));
        }
    }

    fn add_names(&mut self, schema: &Value) {
        let properties = schema.get("properties").and_then(Value::as_object);
        for name in properties.into_iter().flat_map(|all| all.keys()) {
            self.add(name, PARAMETER);
        }
    }
}

/// The schemas right below one.
fn children(schema: &Value) -> impl Iterator<Item = &Value> {
    let maps = ["properties", "$defs", "definitions"].into_iter();
    let maps = maps.filter_map(|key| schema.get(key)?.as_object());
    let lists = ["anyOf", "oneOf", "allOf"].into_iter();
    let lists = lists.filter_map(|key| schema.get(key)?.as_array());
    let items = schema.get("items").into_iter();
    maps.flat_map(|map| map.values())
        .chain(lists.flatten())
        .chain(items)
}

#[expect(clippy::cast_precision_loss, reason = "no set has so many tools")]
fn as_f64(count: usize) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests;
