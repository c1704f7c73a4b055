mod decoding;
mod encoding;
mod repeated;
mod streaming;
