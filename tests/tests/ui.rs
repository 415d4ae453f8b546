//! One case for each diagnostic: what is wrong in the description, and what the user is told.

#[test]
fn diagnostics() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("ui/*.rs");
    cases.pass("ui/sound/*.rs");
}
