mod decoding;
mod encoding;
mod settings;
mod streaming;
