use toolwright::tools;

struct Page<T>(T);

#[tools]
impl<T: Copy + Send + Sync + 'static> Page<T> {
    const MOST: u32 = 20;

    /// Turn to a page of the book.
    #[tool]
    fn turn(&self, #[tool(range(1..=Self::MOST), example = Self::MOST)] page: u32) -> u32 {
        page
    }
}

fn main() {}
