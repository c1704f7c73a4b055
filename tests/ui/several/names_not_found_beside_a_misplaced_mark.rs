use toolwright::tool;

#[tool]
struct GetWeather {
    city: City,
}

#[tool]
const DAYS: u8 = count();

fn forecast(days: Days) -> Weather {
    predict(days)
}

fn main() {}
