struct Echo;

#[toolwright::tools(crate = tw)]
impl Echo {
    /// Say the text again.
    #[tool]
    fn echo(&self, text: String) -> String {
        text
    }
}

fn main() {}
