//! What a rule might be thought to refuse, and does not: it compiles, without a warning.

mod argument_types;
mod limits;
mod renamed_dependency;
mod toolset_in_macros;
