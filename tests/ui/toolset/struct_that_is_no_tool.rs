use toolwright::toolset;

struct Weather;

fn main() {
    let _ = toolset![Weather];
}
