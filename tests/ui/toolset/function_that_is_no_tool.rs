use toolwright::toolset;

fn get_weather() {}

fn main() {
    let _ = toolset![get_weather];
}
