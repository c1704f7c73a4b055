use std::path::Path;

use toolwright::tools;

struct Desk;

#[tools]
impl Desk {
    /// Read a file.
    #[tool]
    fn read_file(&self, path: Path, words: Vec<str>) -> Option<str> {
        todo!()
    }
}

fn main() {}
