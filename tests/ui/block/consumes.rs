#![allow(dead_code, unused_variables)]

use toolwright::tools;

struct Shop;

#[tools]
impl Shop {
    /// Find products by a word in their name.
    #[tool]
    fn find(self, word: String) {}
}

struct BorrowsMutably;

#[tools]
impl BorrowsMutably {
    /// Find products by a word in their name.
    #[tool]
    fn find(&mut self, word: String) {}
}

struct InAnArc;

#[tools]
impl InAnArc {
    /// Find products by a word in their name.
    #[tool]
    fn find(self: std::sync::Arc<Self>, word: String) {}
}

struct ReceiverOfAnAlias;

type Mine = ReceiverOfAnAlias;

#[tools]
impl ReceiverOfAnAlias {
    /// Find products by a word in their name.
    #[tool]
    fn find(self: Mine, word: String) {}
}

fn main() {}
