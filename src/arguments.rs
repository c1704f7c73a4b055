//! Arguments that a model wrote badly: repair of broken JSON, and values of another type than asked for.

pub use toolwright_runtime::{
    ArgumentChange, ChangeKind, Leniency, Prepared, Repaired, Unrepairable, repair_json,
};
