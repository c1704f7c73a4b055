//! Connections to a database: one that writes, on a thread of its own, and some that read beside it.

mod job;
mod place;
mod readers;
mod setup;
mod transactions;
mod writer;

pub(crate) use job::task;
pub(crate) use readers::Readers;
pub(crate) use setup::Target;
pub(crate) use transactions::Change;
pub(crate) use writer::{Order, WriterThread, ended};
