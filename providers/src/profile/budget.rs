//! Limits of a request.

/// The limits of a provider for the tools of one request. `None` is no limit.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Budget {
    /// Tools of any kind.
    pub tools: Option<usize>,
    /// Tools with `strict: true`.
    pub strict_tools: Option<usize>,
    /// Members that may be left out.
    pub optional: Option<usize>,
    /// Schemas with more than one type.
    pub unions: Option<usize>,
    /// Members of objects.
    pub properties: Option<usize>,
    /// Values in `enum`s.
    pub enum_values: Option<usize>,
    /// Characters in the names of members and definitions, and in the values of `enum` and `const`.
    pub chars: Option<usize>,
}

/// The share of one tool in the limits of a request. The fields are those of [`Budget`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
#[allow(missing_docs)]
pub struct Cost {
    pub tools: usize,
    pub strict_tools: usize,
    pub optional: usize,
    pub unions: usize,
    pub properties: usize,
    pub enum_values: usize,
    pub chars: usize,
}

impl Cost {
    /// Both together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            tools: self.tools.saturating_add(other.tools),
            strict_tools: self.strict_tools.saturating_add(other.strict_tools),
            optional: self.optional.saturating_add(other.optional),
            unions: self.unions.saturating_add(other.unions),
            properties: self.properties.saturating_add(other.properties),
            enum_values: self.enum_values.saturating_add(other.enum_values),
            chars: self.chars.saturating_add(other.chars),
        }
    }
}

impl Budget {
    /// The first limit that is passed, with its name.
    pub(super) fn passed_by(&self, cost: Cost) -> Option<(&'static str, usize)> {
        let all = [
            ("tools", self.tools, cost.tools),
            ("strict tools", self.strict_tools, cost.strict_tools),
            ("optional members", self.optional, cost.optional),
            ("unions", self.unions, cost.unions),
            ("members", self.properties, cost.properties),
            ("values of enums", self.enum_values, cost.enum_values),
            ("characters of names and values", self.chars, cost.chars),
        ];
        let mut all = all.into_iter();
        all.find_map(|(what, limit, cost)| {
            let limit = limit.filter(|&limit| cost > limit)?;
            Some((what, limit))
        })
    }
}
