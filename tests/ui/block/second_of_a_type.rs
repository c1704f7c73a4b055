use toolwright::tools;

struct Desk;

#[tools]
impl Desk {
    /// Get the weather in a city.
    #[tool]
    fn get_weather(&self, city: String) -> String {
        city
    }
}

#[tools]
impl Desk {
    /// Get the weather of some days.
    #[tool]
    fn get_forecast(&self, days: u8) -> u8 {
        days
    }
}

#[tools(fn = into_more_tools)]
impl Desk {
    /// Say when the desk is open.
    #[tool]
    fn hours(&self) -> u8 {
        8
    }
}

fn main() {}
