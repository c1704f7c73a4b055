use serde::Deserialize;
use toolwright::{ToolInput, tool};

macro_rules! level {
    ($name:ident of $part:ty) => {
        #[derive(Deserialize, ToolInput)]
        enum $name {
            Flat,
            Deep { part: $part },
        }
    };
}

level!(L1 of u8);
level!(L2 of L1);
level!(L3 of L2);
level!(L4 of L3);
level!(L5 of L4);
level!(L6 of L5);
level!(L7 of L6);
level!(L8 of L7);
level!(L9 of L8);
level!(L10 of L9);

/// Take ten levels, which makes eleven.
#[tool]
fn dig(deep: L10) {
    let _ = deep;
}

fn main() {}
