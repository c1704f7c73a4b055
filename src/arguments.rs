//! Leniency: repair of broken JSON in arguments, and conversion of values to the type that the schema requires.

pub use toolwright_core::{
    ArgumentChange, ChangeKind, Leniency, Prepared, Repaired, Unrepairable, repair_json,
    schema_takes,
};
