//! Validation of arguments against their schema: their shape first, then constraints.

pub(crate) mod constraints;
pub(crate) mod shape;

use super::explain::fault::Fault;
use crate::schema::Node;

/// Returns what is wrong with JSON text by a node: with its shape, or else with its constraints.
pub(crate) fn faults(node: &Node, json: &str) -> Vec<Fault> {
    match shape::rewrite(node, json) {
        Err(mistakes) => mistakes.faults,
        Ok(new) => constraints::mistakes(node, new.as_deref().unwrap_or(json)).faults,
    }
}
