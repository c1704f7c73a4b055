//! JSON Schema in all its drafts: which keywords hold schemas, where references lead, and older forms
//! written as 2020-12 has them.

pub mod address;
pub mod each_reference;
pub mod keywords;
pub mod local_reference;
pub mod pointers;
pub mod references;
pub mod remarks;
pub mod upgrade;
