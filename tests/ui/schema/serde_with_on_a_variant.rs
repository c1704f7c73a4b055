use toolwright::ToolInput;

#[derive(ToolInput)]
enum Length {
    #[serde(with = "metres")]
    Metres(u32),
}

fn main() {}
