//! What a world refuses.
