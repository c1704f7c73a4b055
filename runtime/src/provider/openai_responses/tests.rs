mod decoding;
mod encoding;
mod streaming;
