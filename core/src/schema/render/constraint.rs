//! Constraints, as the keywords of JSON Schema.

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
                if constraints.contains(&Constraint::NotZero) {
                    self.text.push_str(r#","not":{"const":0}"#);
                }
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
        self.limit("minimum", minimum.map(Number::Float));
        for (key, is_half_open) in [("maximum", false), ("exclusiveMaximum", true)] {
            let ends = ranges(constraints).filter(|range| range.is_half_open == is_half_open);
            let ends = ends.filter_map(|range| range.end);
            let maximum = ends.map(Number::as_float).reduce(f64::min);
            self.limit(key, maximum.map(Number::Float));
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
            self.member(key, &limit.to_string());
        }
    }

    fn keyword(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text_member(key, text);
        }
    }

    /// Writes patterns and formats. An object has each keyword once, so that more of them stand in
    /// objects of their own.
    fn named(&mut self, constraints: &[Constraint]) {
        let mut more = Vec::new();
        for key in ["pattern", "format"] {
            let mut all = constraints.iter().filter_map(|one| match one {
                Constraint::Pattern(pattern) if key == "pattern" => Some(pattern.text),
                Constraint::Format(format) if key == "format" => Some(format.name()),
                _ => None,
            });
            self.keyword(key, all.next());
            more.extend(all.map(|text| (key, text)));
        }
        if more.is_empty() {
            return;
        }
        self.member("allOf", "[");
        for (key, text) in more {
            self.separate();
            self.text.push('{');
            self.text_member(key, text);
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
        let examples: Vec<_> = examples.map(Example::to_string).collect();
        if !examples.is_empty() {
            self.member("examples", &format!("[{}]", examples.join(",")));
        }
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
