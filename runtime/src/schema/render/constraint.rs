//! Constraints, as the keywords of JSON Schema.

use std::fmt::Write as _;

use super::Writer;
use crate::schema::{Constraint, Example, Kind, Number, Range};

impl Writer<'_> {
    /// Writes what a value keeps, the limits of its type among it.
    pub(super) fn constraints(&mut self, kind: Kind, constraints: &[Constraint]) {
        match kind {
            Kind::Integer { minimum, maximum } => {
                self.integer(
                    minimum.map(i128::from),
                    maximum.map(i128::from),
                    constraints,
                );
            }
            Kind::Number => self.number(constraints),
            Kind::Character => self.text.push_str(r#","minLength":1,"maxLength":1"#),
            Kind::String => self.length("Length", constraints),
            Kind::List(_) | Kind::Set(_) => self.length("Items", constraints),
            Kind::Map(_) => self.length("Properties", constraints),
            Kind::Formatted(spelling) => {
                self.keyword("format", spelling.format);
                self.keyword("pattern", spelling.pattern);
            }
            _ => {}
        }
        self.named(constraints);
    }

    fn integer(
        &mut self,
        mut minimum: Option<i128>,
        mut maximum: Option<i128>,
        constraints: &[Constraint],
    ) {
        for range in ranges(constraints) {
            let (least, greatest) = range.integers();
            // Nothing is less than any number.
            minimum = minimum.max(least);
            maximum = [maximum, greatest].into_iter().flatten().min();
        }
        self.limit("minimum", minimum);
        self.limit("maximum", maximum);
    }

    fn number(&mut self, constraints: &[Constraint]) {
        let starts = ranges(constraints).filter_map(|range| range.start);
        let minimum = starts.map(Number::as_float).reduce(f64::max);
        self.limit("minimum", minimum.map(Shown));
        for (key, is_half_open) in [("maximum", false), ("exclusiveMaximum", true)] {
            let ends = ranges(constraints).filter(|range| range.is_half_open == is_half_open);
            let ends = ends.filter_map(|range| range.end);
            let maximum = ends.map(Number::as_float).reduce(f64::min);
            self.limit(key, maximum.map(Shown));
        }
    }

    fn length(&mut self, what: &str, constraints: &[Constraint]) {
        let (mut minimum, mut maximum) = (None, None);
        for constraint in constraints {
            if let Constraint::Length(length) = constraint {
                minimum = minimum.max(length.minimum);
                maximum = [maximum, length.maximum].into_iter().flatten().min();
            }
        }
        self.limit(&format!("min{what}"), minimum);
        self.limit(&format!("max{what}"), maximum);
    }

    fn limit(&mut self, key: &str, limit: Option<impl std::fmt::Display>) {
        if let Some(limit) = limit {
            let _ = write!(self.text, r#","{key}":{limit}"#);
        }
    }

    fn keyword(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text.push(',');
            self.member(key);
            self.string(text);
        }
    }

    /// Writes patterns and formats. An object has each keyword once, so that more of them stand in
    /// objects of their own.
    fn named(&mut self, constraints: &[Constraint]) {
        let mut more = Vec::new();
        for (key, is_one) in [
            ("pattern", is_pattern as fn(&Constraint) -> bool),
            ("format", is_format),
        ] {
            let mut all = constraints.iter().filter(|constraint| is_one(constraint));
            self.keyword(key, all.next().and_then(text_of));
            more.extend(all.filter_map(text_of).map(|text| (key, text)));
        }
        if more.is_empty() {
            return;
        }
        self.text.push_str(r#","allOf":["#);
        for (index, (key, text)) in more.into_iter().enumerate() {
            self.separate(index);
            self.text.push('{');
            self.member(key);
            self.string(text);
            self.text.push('}');
        }
        self.text.push(']');
    }

    /// Writes the examples of a place.
    pub(super) fn examples(&mut self, constraints: &[Constraint]) {
        let examples = constraints
            .iter()
            .filter_map(|constraint| match constraint {
                Constraint::Example(example) => Some(example),
                _ => None,
            });
        let mut written = false;
        for (index, example) in examples.enumerate() {
            if index == 0 {
                self.text.push_str(r#","examples":["#);
                written = true;
            }
            self.separate(index);
            self.example(example);
        }
        if written {
            self.text.push(']');
        }
    }

    fn example(&mut self, example: &Example) {
        match example {
            Example::Text(text) => self.string(text),
            Example::Character(char) => self.string(char.encode_utf8(&mut [0; 4])),
            Example::Number(Number::Integer(number)) => {
                let _ = write!(self.text, "{number}");
            }
            Example::Number(Number::Float(number)) => {
                let _ = write!(self.text, "{}", Shown(*number));
            }
            Example::Boolean(value) => {
                let _ = write!(self.text, "{value}");
            }
            Example::List(items) => {
                self.text.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.separate(index);
                    self.example(item);
                }
                self.text.push(']');
            }
        }
    }
}

/// A float as JSON writes it.
struct Shown(f64);

impl std::fmt::Display for Shown {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // A number that is not finite has been refused.
        let text = serde_json::to_string(&self.0).unwrap_or_default();
        f.write_str(text.strip_suffix(".0").unwrap_or(&text))
    }
}

fn ranges(constraints: &[Constraint]) -> impl Iterator<Item = &Range> {
    constraints
        .iter()
        .filter_map(|constraint| match constraint {
            Constraint::Range(range) => Some(range),
            _ => None,
        })
}

fn is_pattern(constraint: &Constraint) -> bool {
    matches!(constraint, Constraint::Pattern(_))
}

fn is_format(constraint: &Constraint) -> bool {
    matches!(constraint, Constraint::Format(_))
}

fn text_of(constraint: &Constraint) -> Option<&'static str> {
    match constraint {
        Constraint::Pattern(pattern) => Some(pattern.text),
        Constraint::Format(format) => Some(format.name()),
        _ => None,
    }
}
