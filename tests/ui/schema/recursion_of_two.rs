#![allow(dead_code, unused_variables)]

use std::collections::BTreeMap;
use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

#[derive(Deserialize, ToolInput)]
struct Folder {
    files: Vec<File>,
}

#[derive(Deserialize, ToolInput)]
struct File {
    parent: Option<Box<Folder>>,
}

#[derive(Deserialize, ToolInput)]
struct Disk {
    root: Folder,
}

/// Format the whole disk.
#[tool]
fn format(disk: Disk) {}

#[derive(Deserialize, ToolInput)]
struct Page<T> {
    items: Vec<T>,
}

#[derive(Deserialize, ToolInput)]
struct Comment {
    text: String,
    answers: Option<Box<Page<Comment>>>,
}

/// Post a comment on the page.
#[tool]
fn post(comment: Comment) {}

#[derive(Deserialize, ToolInput)]
enum Filter {
    Equals { key: String },
    Not(Box<Filter>),
}

/// Find what the filter lets through.
#[tool]
fn find(filter: Filter) {
    let _ = filter;
}

#[derive(Deserialize, ToolInput)]
struct Tree {
    children: BTreeMap<String, Tree>,
}

/// Plant a tree of trees.
#[tool]
fn plant(trees: Vec<Tree>) {}

#[derive(Deserialize, ToolInput)]
struct RecursionThroughNewtype(Vec<RecursionThroughNewtype>);

/// Count the leaves of a tree.
#[tool]
fn count(tree: RecursionThroughNewtype) {
    let _ = tree;
}

#[derive(Deserialize, ToolInput)]
struct Step {
    name: String,
    next: Option<Box<Step>>,
}

/// Go one step after another.
#[tool]
fn walk(fast: bool, first: Option<Step>) {}

#[derive(Deserialize, ToolInput)]
#[serde(untagged)]
enum Expression {
    Number(f64),
    Sum(Box<(Expression, Expression)>),
}

/// Calculate the value of an expression.
#[tool]
fn calculate(expression: Expression) {
    let _ = expression;
}

#[derive(Deserialize, ToolInput)]
struct RecursionThroughVec {
    value: u8,
    children: Vec<RecursionThroughVec>,
}

/// Plant a tree of trees.
#[tool]
fn recursion_through_vec(tree: RecursionThroughVec) {}

#[derive(serde::Deserialize, ToolInput)]
struct RecursionThroughSelf<T> {
    value: T,
    children: Vec<Self>,
}

/// Count the nodes of a tree.
#[tool]
fn recursion_through_self(tree: RecursionThroughSelf<u8>) -> usize {
    tree.children.len()
}

#[derive(serde::Deserialize, ToolInput)]
struct BorrowedContainsItself {
    inside: Vec<BorrowedContainsItself>,
}

/// Show what is in a folder.
#[tool]
fn show(folder: &BorrowedContainsItself, others: Option<&[BorrowedContainsItself]>) {}

#[derive(serde::Deserialize, ToolInput)]
struct Query {
    or: Vec<Query>,
}

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(&self, query: Query) {}
}

/// Search the documentation, best first.
#[derive(serde::Deserialize, Tool)]
struct Search {
    query: String,
    then: Option<Box<Search>>,
}

impl Execute for Search {
    type Output = String;

    async fn execute(self, _: &ToolContext) -> Result<String, ToolError> {
        Ok(String::new())
    }
}

fn main() {}
