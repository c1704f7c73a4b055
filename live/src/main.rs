//! Tries behaviours against each provider whose key is in the environment, and prints a table.
//!
//! `cargo run -p toolwright-live` sends requests that cost money. Before each request it adds what the request may
//! cost at most, and it sends none that might pass the limit. `README.md` has the settings.

mod behaviour;
mod provider;
mod recording;
mod run;
mod settings;
mod table;
mod tap;

use std::process::ExitCode;

use provider::Provider;
use settings::Settings;
use tap::Tap;

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let settings = match Settings::from_env() {
        Ok(settings) => settings,
        Err(why) => {
            eprintln!("{why}");
            return ExitCode::FAILURE;
        }
    };
    let providers: Vec<_> = Provider::all().filter(Provider::is_on).collect();
    if providers.is_empty() {
        println!("No key is set, so that nothing was sent. Set one or more of these:\n");
        for provider in Provider::all() {
            println!("- {}: {}", provider.name(), provider.needs());
        }
        println!("\n{}", Settings::HELP);
        return ExitCode::SUCCESS;
    }
    let mut columns = Vec::new();
    let mut left = settings.max_cost;
    for provider in providers {
        let tap = match settings.tap(&provider, left) {
            Ok(tap) => tap,
            Err(why) => {
                eprintln!("{} is left out: {why}", provider.name());
                continue;
            }
        };
        let column = try_all(&provider, &settings, &tap).await;
        left -= column.cost;
        columns.push(column);
    }
    print!("{}", table::of(&columns));
    let differs = columns.iter().any(table::Column::differs);
    ExitCode::from(u8::from(differs))
}

/// Runs each behaviour against a provider, one after the other.
async fn try_all(provider: &Provider, settings: &Settings, tap: &Tap) -> table::Column {
    let model = settings.model(provider).unwrap_or_default();
    let mut results = Vec::new();
    for behaviour in behaviour::ALL {
        for &way in behaviour.ways {
            let name = behaviour.name_in(way);
            if !settings.is_chosen(&name) {
                continue;
            }
            let verdict = run::run(behaviour, way, provider, model, tap).await;
            eprintln!("{}: {name}: {verdict}", provider.name());
            let exchanges = tap.take();
            if let Some(folder) = &settings.recordings {
                let file = recording::Conversation {
                    provider,
                    model,
                    name: &name,
                };
                if let Err(error) = file.write(folder, &exchanges) {
                    eprintln!("{}: {error}", folder.display());
                }
            }
            results.push((name, verdict));
        }
    }
    table::Column {
        provider: provider.name().to_owned(),
        model: model.to_owned(),
        cost: tap.spent(),
        results,
    }
}
