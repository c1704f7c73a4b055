use toolwright::tools;

#[derive(serde::Deserialize)]
struct Place;

struct Desk;

#[tools]
impl Desk {
    /// Plan a trip through some places.
    #[tool]
    fn plan(&self, places: Vec<Option<Place>>) {
        drop(places);
    }
}

fn main() {}
