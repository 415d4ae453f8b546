//! One case for each diagnostic: what is wrong in the description, and what the user is told.

#[test]
fn diagnostics() {
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}
