//! What is printed without features, as golden files.

use crate::{file, printed};

#[test]
fn the_graphs_own_form_is_kept() {
    let path = file("runtime/cli/tests/robots/machines.rs");
    let path = path.to_str().expect("UTF-8");
    for form in ["text", "latex", "julia", "matlab"] {
        let sheet = printed(&[path, "--robot", "CartPole", "--form", form]);
        insta::assert_snapshot!(format!("cart_pole_{form}"), sheet);
    }
}
