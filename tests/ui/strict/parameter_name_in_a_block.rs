use toolwright::tools;

struct Window;

#[tools]
impl Window {
    /// Set the size of the window.
    #[tool(strict = "anthropic")]
    fn resize(&self, größe: u32) -> u32 {
        größe
    }
}

fn main() {}
