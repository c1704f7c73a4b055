use toolwright::{Execute, Tool, ToolContext, ToolError, ToolInput};

#[derive(ToolInput)]
struct Place {
    _cities: Vec<Missing>,
    #[tool(length(..=9))]
    _countries: Option<Vec<Mising>>,
}

#[derive(ToolInput)]
enum Asked {
    _Days(Option<Days>),
    _Hours { _hours: Vec<Hours> },
}

/// Get the weather in some cities.
#[derive(Tool)]
struct GetWeather {
    _cities: Option<Vec<Citty>>,
    _place: Plce,
}

impl<'de> serde::Deserialize<'de> for GetWeather {
    fn deserialize<D: serde::Deserializer<'de>>(_: D) -> Result<Self, D::Error> {
        unimplemented!()
    }
}

impl Execute for GetWeather {
    type Output = ();

    async fn execute(self, _cx: &ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

fn main() {}
