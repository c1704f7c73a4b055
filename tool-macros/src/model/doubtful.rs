//! Types of fields of which a mistake leaves open what describes them.

use syn::{Type, parse_quote};

/// Creates the placeholder for such a type. Nobody can write it where a field is declared.
pub(crate) fn doubtful() -> Type {
    parse_quote!(_)
}

/// Returns true if a type is such a placeholder.
pub(crate) fn is_doubtful(ty: &Type) -> bool {
    matches!(ty, Type::Infer(_))
}
