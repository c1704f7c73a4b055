#![allow(dead_code, unused_variables)]

use std::collections::HashMap;
use serde::Deserialize;
use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput, tool, tools};

type Inner = HashMap<String, HashMap<String, HashMap<String, u8>>>;

/// Take five maps inside each other, which makes six objects.
#[tool(strict = "portable")]
fn dig(flat: u8, deep: Vec<HashMap<String, (u8, Inner)>>) -> usize {
    usize::from(flat) + deep.len()
}

#[derive(Deserialize, ToolInput)]
struct Layer {
    // It is the deepest, and not the mistake.
    samples: Vec<Vec<Vec<Vec<u8>>>>,
    found: HashMap<String, Find>,
}

#[derive(Deserialize, ToolInput)]
enum Find {
    Bone { weight: u8 },
    Coins(u8, u8),
}

struct Shop;

#[tools]
impl Shop {
    /// Take a map, a struct, a map, an enum and its variant, which makes six objects.
    #[tool(strict = "portable")]
    fn dig(&self, layers: HashMap<String, Layer>) -> usize {
        let finds = layers.into_values().flat_map(|layer| {
            let samples = layer.samples.len();
            layer.found.into_values().map(move |find| samples + usize::from(match find {
                Find::Bone { weight } => weight,
                Find::Coins(gold, silver) => gold + silver,
            }))
        });
        finds.sum()
    }
}

macro_rules! level {
    ($name:ident of $part:ty) => {
        #[derive(Deserialize, ToolInput)]
        struct $name {
            #[expect(dead_code)]
            deep: $part,
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

/// Take ten levels, which is one more than is safe.
#[derive(Deserialize, Tool)]
#[tool(strict = "openai")]
struct Dig {
    #[expect(dead_code)]
    deep: L9,
}

impl Execute for Dig {
    type Output = ();

    async fn execute(self, _: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
