use toolwright::ToolInput;

#[derive(ToolInput)]
union Either {
    a: u8,
    b: i8,
}

fn main() {}
