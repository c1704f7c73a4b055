//! Runs whose answer is a value of a type.

mod answer;
mod check;
mod error;
mod final_tool;
mod form;

pub use answer::{Answer, TypedAnswer};
pub(super) use check::AnswerCheck;
pub use error::AnswerError;
pub(super) use final_tool::FinalTool;
pub(super) use form::{AnswerOutput, AnswerType};
