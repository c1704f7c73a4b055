//! Constraints on a value in addition to its type.

use proc_macro2::{Ident, TokenStream};
use syn::{Expr, ExprCall, ExprLit, ExprUnary, Lit, LitStr, UnOp};

/// The constraints of one parameter or field.
pub(crate) struct Constraints {
    /// The name of the type that holds them.
    pub(crate) ident: Ident,
    pub(crate) all: Vec<Constraint>,
}

/// A constraint, and the key that says it.
pub(crate) struct Constraint {
    pub(crate) key: Ident,
    pub(crate) rule: Rule,
}

/// The rule that a value must satisfy.
pub(crate) enum Rule {
    Range(Limits),
    Length(Limits),
    #[cfg_attr(not(feature = "regex"), allow(dead_code))]
    Pattern {
        text: LitStr,
        /// The same for the engine that runs it.
        regex: String,
    },
    Format {
        /// The variant of the runtime's `Format`.
        variant: Ident,
    },
    Example(Expr),
}

/// `1..=20`, or one number.
pub(crate) struct Limits {
    /// The tokens.
    pub(crate) from: TokenStream,
    pub(crate) start: Option<Expr>,
    pub(crate) end: Option<Expr>,
    /// True if the range excludes its end.
    pub(crate) is_half_open: bool,
}

/// The kind of a number literal.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Written {
    Integer,
    Float,
}

impl Written {
    /// Returns the kind of an expression of numbers without types. None if the type system must decide.
    pub(crate) fn of(expression: &Expr) -> Option<Self> {
        match expression {
            Expr::Lit(ExprLit { lit, .. }) => match lit {
                Lit::Int(number) if number.suffix().is_empty() => Some(Self::Integer),
                Lit::Float(number) if number.suffix().is_empty() => Some(Self::Float),
                _ => None,
            },
            Expr::Unary(ExprUnary {
                op: UnOp::Neg(_),
                expr,
                ..
            }) => Self::of(expr),
            Expr::Paren(inner) => Self::of(&inner.expr),
            Expr::Group(inner) => Self::of(&inner.expr),
            Expr::Binary(binary) => {
                let kind = Self::of(&binary.left)?;
                (Self::of(&binary.right)? == kind).then_some(kind)
            }
            _ => None,
        }
    }
}

/// The value that an expression is, if it is written out. `Some` and `String` are what a prelude has.
pub(crate) fn seen(value: &Expr) -> Option<&Expr> {
    match value {
        Expr::Lit(ExprLit {
            lit:
                Lit::Str(_) | Lit::Char(_) | Lit::Bool(_) | Lit::Int(_) | Lit::Float(_) | Lit::Byte(_),
            ..
        }) => Some(value),
        Expr::Paren(inner) => seen(&inner.expr),
        Expr::Group(inner) => seen(&inner.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Neg(_)) => seen(&unary.expr).map(|_| value),
        Expr::Binary(_) => Written::of(value).map(|_| value),
        Expr::MethodCall(call) if call.args.is_empty() => {
            let is_copied = call.method == "to_owned" || call.method == "to_string";
            text(&call.receiver).filter(|_| is_copied)
        }
        Expr::Call(call) => match called(call)?.as_slice() {
            [some] if some == "Some" => seen(call.args.first()?),
            [string, from] if string == "String" && from == "from" => text(call.args.first()?),
            _ => None,
        },
        _ => None,
    }
}

/// A text that is written out.
fn text(value: &Expr) -> Option<&Expr> {
    seen(value).filter(|value| {
        matches!(
            value,
            Expr::Lit(ExprLit {
                lit: Lit::Str(_),
                ..
            })
        )
    })
}

/// The path of a function that is called with one argument.
fn called(call: &ExprCall) -> Option<Vec<String>> {
    match &*call.func {
        Expr::Path(path) if path.qself.is_none() && call.args.len() == 1 => {
            let segments = path.path.segments.iter();
            Some(segments.map(|segment| segment.ident.to_string()).collect())
        }
        _ => None,
    }
}
