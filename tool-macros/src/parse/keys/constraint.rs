//! The keys that constrain a value.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};
use syn::{Expr, ExprLit, Lit, LitStr, RangeLimits};

use super::{Key, Keys, pattern};
use crate::{
    errors::Errors,
    model::{Constraint, Constraints, Limits, Rule},
    suggest::is_near,
};

/// The keys, in the order in which they are written in the schema.
pub(super) const KEYS: [&str; 5] = ["range", "length", "pattern", "format", "example"];

/// The formats that are enforced, and what the runtime calls them.
const FORMATS: [(&str, &str); 10] = [
    ("date-time", "DateTime"),
    ("date", "Date"),
    ("time", "Time"),
    ("duration", "Duration"),
    ("email", "Email"),
    ("hostname", "Hostname"),
    ("ipv4", "Ipv4"),
    ("ipv6", "Ipv6"),
    ("uri", "Uri"),
    ("uuid", "Uuid"),
];

impl Keys {
    /// The constraints, held by a type of this name.
    pub(in crate::parse) fn constraints(
        &mut self,
        ident: Ident,
        errors: &mut Errors,
    ) -> Constraints {
        let mut all = Vec::new();
        for name in KEYS {
            while let Some(Key {
                name: key, value, ..
            }) = self.take(name)
            {
                let rule = rule(&key, value, errors);
                all.extend(rule.map(|rule| Constraint { key, rule }));
            }
        }
        let constraints = Constraints { ident, all };
        for Constraint { rule, .. } in &constraints.all {
            if let Rule::Example(value) = rule {
                pattern::check(&constraints, "example", value, errors);
            }
        }
        constraints
    }

    /// Reports a description that stands where it has no meaning.
    pub(in crate::parse) fn no_description(&mut self, why: &str, errors: &mut Errors) {
        self.not_for_what_is_sent("description", why, errors);
    }

    /// Reports what is for a value that is sent, where none is.
    pub(in crate::parse) fn nothing_sent(&mut self, why: &str, errors: &mut Errors) {
        self.no_description(why, errors);
        self.no_constraints(why, errors);
        self.not_for_what_is_sent("schemars", why, errors);
    }

    /// Reports each constraint that stands where it has no meaning.
    pub(in crate::parse) fn no_constraints(&mut self, why: &str, errors: &mut Errors) {
        for name in KEYS {
            self.not_for_what_is_sent(name, why, errors);
        }
    }

    fn not_for_what_is_sent(&mut self, name: &str, why: &str, errors: &mut Errors) {
        while let Some(Key { name: key, .. }) = self.take(name) {
            let message = format!("`{name}` is for what the model sends here, and {why}");
            errors.at(key, message);
        }
    }
}

fn rule(key: &Ident, value: Option<TokenStream>, errors: &mut Errors) -> Option<Rule> {
    let name = key.to_string();
    let (example, in_parentheses) = match name.as_str() {
        "range" => ("range(1..=20)", true),
        "length" => ("length(1..=80)", true),
        "pattern" => ("pattern(\"^[a-z]+$\")", true),
        "format" => ("format = \"email\"", false),
        _ => ("example = \"Oslo, Norway\"", false),
    };
    let Some(value) = value else {
        errors.at(key, format!("`{name}` needs a value: write `{example}`"));
        return None;
    };
    let wrong = |tokens: TokenStream| {
        syn::Error::new_spanned(
            tokens,
            format!("this is no value for `{name}`: write `{example}`"),
        )
    };
    let inner = match parenthesised(&value) {
        Some(inner) if in_parentheses && !inner.is_empty() => inner,
        None if !in_parentheses => value.clone(),
        // A tuple is no example, and parentheses around one are not needed.
        _ => {
            errors.push(wrong(value));
            return None;
        }
    };
    let wrong = |_| wrong(value.clone());
    let rule = match name.as_str() {
        "range" => syn::parse2(inner).map_err(wrong).and_then(range),
        "length" => syn::parse2(inner).map_err(wrong).and_then(length),
        "pattern" => syn::parse2(inner)
            .map_err(wrong)
            .and_then(|text| pattern::rule(key, text)),
        "format" => syn::parse2(inner)
            .map_err(wrong)
            .and_then(|name| format(&name)),
        _ => syn::parse2(inner).map_err(wrong).map(Rule::Example),
    };
    errors.ok(rule)
}

/// Returns the tokens in parentheses, if the value has no others.
fn parenthesised(value: &TokenStream) -> Option<TokenStream> {
    let mut tokens = value.clone().into_iter();
    match (tokens.next(), tokens.next()) {
        (Some(TokenTree::Group(group)), None) if group.delimiter() == Delimiter::Parenthesis => {
            Some(group.stream())
        }
        _ => None,
    }
}

fn range(value: Expr) -> syn::Result<Rule> {
    if !matches!(value, Expr::Range(_)) {
        let message = "a range has two ends, or one: write `range(1..=20)` or `range(1..)`";
        return Err(syn::Error::new_spanned(value, message));
    }
    limits(value, "range").map(Rule::Range)
}

fn length(value: Expr) -> syn::Result<Rule> {
    let limits = match value {
        Expr::Range(_) => limits(value, "length")?,
        Expr::Assign(_) => {
            let message = "a length is a number or a range: write `length(1..=80)`";
            return Err(syn::Error::new_spanned(value, message));
        }
        exactly => Limits {
            from: quote::quote!(#exactly),
            start: Some(exactly.clone()),
            end: Some(exactly),
            is_half_open: false,
        },
    };
    let negative = [&limits.start, &limits.end].into_iter().flatten();
    for limit in negative {
        if let Expr::Unary(_) = limit {
            let message = "a length is at least 0: write how many there may be";
            return Err(syn::Error::new_spanned(limit, message));
        }
    }
    Ok(Rule::Length(limits))
}

fn limits(value: Expr, key: &str) -> syn::Result<Limits> {
    let from = quote::quote!(#value);
    let Expr::Range(range) = value else {
        unreachable!("the callers have looked");
    };
    if range.start.is_none() && range.end.is_none() {
        let message = format!("this limits nothing: write `{key}(1..=20)`, or remove `{key}`");
        return Err(syn::Error::new_spanned(from, message));
    }
    for limit in [&range.start, &range.end].into_iter().flatten() {
        if let Expr::Lit(ExprLit { lit, .. }) = &**limit
            && !matches!(lit, Lit::Int(_) | Lit::Float(_))
        {
            let message = format!("a limit is a number: write `{key}(1..=20)`");
            return Err(syn::Error::new_spanned(limit, message));
        }
    }
    Ok(Limits {
        from,
        start: range.start.map(|start| *start),
        end: range.end.map(|end| *end),
        is_half_open: matches!(range.limits, RangeLimits::HalfOpen(_)),
    })
}

fn format(name: &LitStr) -> syn::Result<Rule> {
    let text = name.value();
    let known = FORMATS.iter().find(|(known, _)| *known == text);
    if let Some((_, variant)) = known {
        let variant = Ident::new(variant, name.span());
        return Ok(Rule::Format { variant });
    }
    let nearest = FORMATS.iter().find(|(known, _)| is_near(&text, known));
    let hint = nearest.map_or(": known".to_owned(), |(near, _)| {
        format!(", did you mean `{near}`? Known")
    });
    let names: Vec<_> = FORMATS.iter().map(|(name, _)| *name).collect();
    let message = format!(
        "`{text}` is no format that can be checked{hint} are `{}`; for others use \
         `pattern(\"…\")`, or say it in the description",
        names.join("`, `")
    );
    Err(syn::Error::new(name.span(), message))
}
