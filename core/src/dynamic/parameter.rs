//! Parameters of a dynamic tool, built at run time.

mod render;
mod rules;
mod texts;
mod values;

use std::ops::{Bound, RangeBounds};

use serde::Serialize;
use serde_json::{Number, Value};

pub(super) use render::arguments;
pub(super) use rules::check;

/// The greatest depth of parameters that are kept inside each other. Deeper parameters are refused anyway, and a deep
/// one costs no stack.
const MAX_KEPT: usize = 32;

/// A schema for one place of the arguments: a parameter of a [`DynamicTool`](super::DynamicTool), an item of an
/// array, a value of an object.
///
/// Whatever is contradictory, such as a range without a number in it, is refused when the tool is
/// built.
///
/// ```
/// use toolwright::dynamic::Parameter;
///
/// let place = Parameter::object()
///     .description("Where to look.")
///     .required("latitude", Parameter::number().range(-90.0..=90.0))
///     .required("longitude", Parameter::number().range(-180.0..=180.0))
///     .optional("radius", Parameter::integer().range(1..=50).default(10));
/// let places = Parameter::array(place).items(1..=5);
/// # let _ = places;
/// ```
#[derive(Debug, Clone, PartialEq)]
#[must_use = "a parameter is for a tool"]
pub struct Parameter {
    kind: Kind,
    description: Option<String>,
    range: Option<Range>,
    length: Option<Count>,
    items: Option<Count>,
    pattern: Option<String>,
    format: Option<String>,
    default: Option<Value>,
    examples: Vec<Value>,
    /// The depth of the parameters inside this one.
    height: usize,
    /// True if a key was added to a parameter that is no object.
    has_stray_key: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    Any,
    String,
    Integer,
    Number,
    Boolean,
    Choice(Vec<String>),
    Array(Box<Parameter>),
    Object(Vec<Property>),
}

/// A key of an object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Property {
    pub(super) name: String,
    pub(super) parameter: Parameter,
    pub(super) is_required: bool,
}

/// The least and the greatest number, as JSON.
#[derive(Debug, Clone, PartialEq)]
struct Range {
    from: Bound<Value>,
    to: Bound<Value>,
}

/// The least and the greatest count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Count {
    from: Option<usize>,
    to: Option<usize>,
    is_empty: bool,
}

impl Parameter {
    fn new(kind: Kind) -> Self {
        Self {
            kind,
            description: None,
            range: None,
            length: None,
            items: None,
            pattern: None,
            format: None,
            default: None,
            examples: Vec::new(),
            height: 1,
            has_stray_key: false,
        }
    }

    /// Creates a parameter for any JSON value.
    pub fn any() -> Self {
        Self::new(Kind::Any)
    }

    /// Creates a parameter for a string.
    pub fn string() -> Self {
        Self::new(Kind::String)
    }

    /// Creates a parameter for an integer.
    pub fn integer() -> Self {
        Self::new(Kind::Integer)
    }

    /// Creates a parameter for a number.
    pub fn number() -> Self {
        Self::new(Kind::Number)
    }

    /// Creates a parameter for `true` or `false`.
    pub fn boolean() -> Self {
        Self::new(Kind::Boolean)
    }

    /// Creates a parameter for one of several strings.
    pub fn choice(texts: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self::new(Kind::Choice(texts.into_iter().map(Into::into).collect()))
    }

    /// Creates a parameter for an array of values.
    pub fn array(item: Self) -> Self {
        let height = item.height + 1;
        let mut array = Self::new(Kind::Array(Box::new(item.kept())));
        array.height = height;
        array
    }

    /// Creates a parameter for an object of known keys, which [`required`](Self::required) and
    /// [`optional`](Self::optional) add. No other key is allowed.
    pub fn object() -> Self {
        Self::new(Kind::Object(Vec::new()))
    }

    /// Adds a key that has to be there, if this is an object.
    pub fn required(self, name: impl Into<String>, parameter: Self) -> Self {
        self.with(name.into(), parameter, true)
    }

    /// Adds a key that may be left out or be `null`, if this is an object. With a default it may be
    /// left out and is never `null`.
    pub fn optional(self, name: impl Into<String>, parameter: Self) -> Self {
        self.with(name.into(), parameter, false)
    }

    fn with(mut self, name: String, parameter: Self, is_required: bool) -> Self {
        self.height = self.height.max(parameter.height + 1);
        let property = Property {
            name,
            parameter: parameter.kept(),
            is_required,
        };
        match &mut self.kind {
            Kind::Object(properties) => properties.push(property),
            _ => self.has_stray_key = true,
        }
        self
    }

    /// The parameter, without what is in it where it is too deep.
    fn kept(self) -> Self {
        if self.height < MAX_KEPT {
            return self;
        }
        Self {
            height: self.height,
            ..Self::any()
        }
    }

    /// Sets the description of the value for the model.
    pub fn description(mut self, text: impl Into<String>) -> Self {
        self.description = Some(text.into());
        self
    }

    /// Sets the range of a number: `1..=10`, `0.0..1.0`, `1..`.
    pub fn range<T: Serialize>(mut self, range: impl RangeBounds<T>) -> Self {
        self.range = Some(Range {
            from: range.start_bound().map(number),
            to: range.end_bound().map(number),
        });
        self
    }

    /// Sets the length of a string in characters: `1..=100`, `..=10`.
    pub fn length(mut self, chars: impl RangeBounds<usize>) -> Self {
        self.length = Some(Count::of(&chars));
        self
    }

    /// Sets the number of items in an array: `1..=5`, `1..`.
    pub fn items(mut self, count: impl RangeBounds<usize>) -> Self {
        self.items = Some(Count::of(&count));
        self
    }

    /// Sets a regular expression that some part of a string matches; `^` and `$` stand for its ends. With the feature
    /// `jsonschema` a pattern that is not a valid regular expression is refused.
    pub fn pattern(mut self, pattern: impl Into<String>) -> Self {
        self.pattern = Some(pattern.into());
        self
    }

    /// Sets the format of a string, with a name of JSON Schema: `date`, `email`, `uuid`. A name that is not checked
    /// for is refused.
    pub fn format(mut self, format: impl Into<String>) -> Self {
        self.format = Some(format.into());
        self
    }

    /// Sets the value that is used if the key is left out. The model sees it in the schema; the closure fills it in.
    pub fn default(mut self, value: impl Into<Value>) -> Self {
        self.default = Some(value.into());
        self
    }

    /// Adds a value that the model is shown as an example.
    pub fn example(mut self, value: impl Into<Value>) -> Self {
        self.examples.push(value.into());
        self
    }
}

/// A bound, as it is written: `0.1_f32` is 0.1, and not the `f64` that it is nearest to.
fn number(bound: &impl Serialize) -> Value {
    let text = serde_json::to_string(bound).unwrap_or_default();
    let is_same = |value: &Value| serde_json::to_string(value).is_ok_and(|same| same == text);
    let value = serde_json::to_value(bound).ok().filter(is_same);
    // No integer of JSON is greater than a `u64`.
    let nearest = || text.parse().ok().and_then(Number::from_f64);
    value
        .or_else(|| nearest().map(Value::Number))
        .unwrap_or_default()
}

impl Count {
    fn of(count: &impl RangeBounds<usize>) -> Self {
        let from = match count.start_bound() {
            Bound::Unbounded => None,
            Bound::Included(from) => Some(*from),
            Bound::Excluded(from) => Some(from.saturating_add(1)),
        };
        let to = match count.end_bound() {
            Bound::Unbounded => None,
            Bound::Included(to) => Some(*to),
            // `..0` has nothing in it, and there is no number below 0 to write.
            Bound::Excluded(0) => {
                return Self {
                    from,
                    to: Some(0),
                    is_empty: true,
                };
            }
            Bound::Excluded(to) => Some(to - 1),
        };
        Self {
            from,
            to,
            is_empty: from.zip(to).is_some_and(|(from, to)| from > to),
        }
    }
}
