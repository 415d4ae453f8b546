//! Code does not grow with the number of contacts.

use std::fmt::Write;

/// A square of points below a cube, and the kernels of its steps: without spaces, and without tables of numbers.
fn kernels(side: usize) -> [String; 2] {
    let mut points = String::new();
    for k in 0..side * side {
        let (x, y) = (k % side, k / side);
        let _ = write!(
            points,
            "contact(c{k}, on = cube, at = [0.1 * {x}, 0.1 * {y}, -0.1], friction = 0.5),"
        );
    }
    let item = format!(
        "#[robot(link(cube, mass = 1, inertia = [1, 1, 1]), joint(free, floating(world -> cube)), {points})]
        struct Cube;"
    );
    let text = crate::expand(item.parse().expect("tokens")).to_string().replace(' ', "");
    ["ContactDynamics", "ContactResponse"].map(|name| {
        let (_, kernel) = text.split_once(&format!("KernelforCube{name}")).expect("a kernel");
        let kernel = kernel.split("Kernelfor").next().unwrap_or_default();
        match kernel.split_once("staticTABLE") {
            Some((before, table)) => {
                before.to_owned() + table.split_once("];let").expect("a loop").1
            }
            None => kernel.to_owned(),
        }
    })
}

#[test]
fn more_contacts_take_no_more_code() {
    for (few, many) in kernels(4).iter().zip(&kernels(16)) {
        // Numbers of outputs and inputs have a digit or two more.
        assert!(many.len() < few.len() + 40, "{} {}\n{many}", few.len(), many.len());
    }
}
