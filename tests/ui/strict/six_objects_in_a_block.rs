use std::collections::HashMap;

use serde::Deserialize;
use toolwright::{ToolInput, tools};

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

fn main() {}
