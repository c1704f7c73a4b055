mod decoding;
mod encoding;
mod phases;
mod repeated;
mod streaming;
mod told_once;
