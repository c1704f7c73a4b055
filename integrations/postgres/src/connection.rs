//! Connections to a database: how one is made, and those that wait for the next operation.

mod pool;
mod target;

pub(crate) use pool::{Access, Pool};
pub(crate) use target::{Connector, Target, connector};
