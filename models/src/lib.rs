//! Robots described with jourdain, one file each.
