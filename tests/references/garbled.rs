//! Garbled descriptions: an expansion, with or without errors in it, and never a panic.

use fastrand::Rng;
use proc_macro2::TokenStream;

const DESCRIPTION: &str = "
# [ robot ( gravity = [ 0 , 0 , - g ] , crate = :: jourdain , root = leg ,
link ( body , mass = m , com = [ 0 , l / 2.0 , 0 ] , inertia = [ 1 , 1 , 1 , 0 , 0 , 0 ] , at_origin ) ,
joint ( base , floating ( world -> body ) ) ,
link ( leg , density = 1000 , box ( size = [ 0.1 , 0.2 , 0.3 ] ) , rpy = [ 0 , PI , 0 ] ) ,
joint ( hip , revolute ( body -> leg ) , at = [ 0 , 0 , - l ] , axis = [ 0 , 1 , 0 ] , limits = [ - 1 , 1 ] ,
damping = 0.1 , friction = 0.2 , armature = 0.3 , quaternion = [ 0 , 0 , 0 , 1 ] ) ,
link ( foot , massless ) ,
joint ( ankle , universal ( leg -> foot ) , axes = [ [ 1 , 0 , 0 ] , [ 0 , 1 , 0 ] ] , limits = [ [ 0 , 1 ] , [ 2 , 3 ] ] ) ,
link ( arm , mass = 1 , cylinder ( radius = 0.1 , length = sqrt ( 2.0 ) ) ) ,
joint ( screw , helical ( body -> arm ) , axis = [ 0 , 0 , 1 ] , pitch = 0.1 , mimic ( hip , multiplier = 2 , offset = 1 ) ) ,
frame ( \"left-foot\" , on = foot , rpy = [ 0 , 0 , 0 ] ) ,
contact ( sole , on = foot , sphere = 0.1 , friction = 0.5 , restitution = 0.5 , directions = 6 ,
plane ( normal = [ 0 , 0 , 1 ] , offset = 0 ) ) ,
actuator ( motor , joint = ankle , coordinate = 1 , gear = 3 ) ,
spring ( tie , a = world @ [ 0 , 0 , 0 ] , b = body , stiffness = 1 , rest = 1 ) ,
kernels ( ) ) ] struct Robot { m : f64 , l : f64 , g : f32 }";

#[rustfmt::skip]
const WORDS: &[&str] = &[
    "0", "-", "1e400", "1e-320", "99999999999999999999999999999999999999999", "\"\"", "\"0\"", "\"é\"", "\"🤖\"",
    "\"world\"", "world", "body", "leg", "foot", "hip", "r#type", "self", "_", "fixed", "floating", "spherical",
    "planar", "[ ]", "( )", "{ }", ",", "=", "@", "->", "::", "'a", "'c'", "true", "1.5f32", "0x10", "urdf", "mimic",
    "root", "massless", "sphere", "INFINITY", "NAN", "(1/0)", "(1/0.0)", "(1/3)", "sin(2)", "[[[]]]", "é", "|x| x", "1u8",
];

fn garble(rng: &mut Rng) -> String {
    let mut words: Vec<&str> = DESCRIPTION.split_whitespace().collect();
    for _ in 0..rng.usize(1..=3) {
        let (k, other) = (rng.usize(..words.len()), rng.usize(..words.len()));
        match rng.u8(0..5) {
            0 => drop(words.remove(k)),
            1 => words.insert(k, words[other]),
            2 => words.swap(k, other),
            3 => words.insert(k, WORDS[rng.usize(..WORDS.len())]),
            _ => words[k] = WORDS[rng.usize(..WORDS.len())],
        }
    }
    words.join(" ")
}

#[test]
fn garbled_descriptions_expand_to_something() {
    let whole: TokenStream = DESCRIPTION.parse().expect("tokens");
    let whole = jourdain_codegen::expand(whole).to_string();
    assert!(!whole.contains("compile_error"), "{whole}");
    let rng = &mut Rng::with_seed(13);
    let [mut errors, mut robots] = [0, 0];
    for _ in 0..2000 {
        let text = garble(rng);
        let Ok(tokens) = text.parse::<TokenStream>() else {
            continue;
        };
        let expand = std::panic::AssertUnwindSafe(|| jourdain_codegen::expand(tokens));
        let Ok(expansion) = std::panic::catch_unwind(expand) else {
            panic!("{text}");
        };
        match expansion.to_string().contains("compile_error") {
            true => errors += 1,
            false => robots += 1,
        }
    }
    println!("{errors} with errors, {robots} robots");
    assert!(errors > 500 && robots > 10);
}
