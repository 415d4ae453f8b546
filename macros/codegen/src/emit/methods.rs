//! The inherent constants and methods of the described struct.
//!
//! They are the kernels of the runtime's `Model` with concrete types and their own documentation, so
//! that a program that uses one robot sees its shapes and costs. What is the same for all robots,
//! such as the operations of the configuration manifold, is in the trait alone.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote;

use crate::parse::{RESERVED, constant};

use super::document;
use super::measures;
use super::pair::{Method, pair};
use super::source::{Source, constant_limits};

/// The quantities that have the shape of the coordinates.
const METHODS: [Method; 8] = [
    Method {
        kernel: "MassMatrix",
        inputs: &["q"],
        summary: "The mass matrix M(q), armature included: kg, kg m and kg m² as the coordinates are lengths \
                  or angles.",
    },
    Method {
        kernel: "CoriolisMatrix",
        inputs: &["q", "v"],
        summary: "The Coriolis matrix C(q, v), units of M per second; Ṁ − 2C is skew-symmetric.",
    },
    Method {
        kernel: "GravityForce",
        inputs: &["q"],
        summary: "The force of gravity τ_g(q) = −Nᵀ ∂U/∂q, on the right-hand side, N or N m.",
    },
    Method {
        kernel: "BiasForce",
        inputs: &["q", "v"],
        summary: "The bias force C v − τ_g: what holds the velocity constant, N or N m.",
    },
    Method {
        kernel: "InverseDynamics",
        inputs: &["q", "v", "v_dot"],
        summary: "The generalised force τ = M v̇ + C v − τ_g, N or N m.",
    },
    Method {
        kernel: "ForwardDynamics",
        inputs: &["q", "v", "tau"],
        summary: "The acceleration v̇ = M⁻¹ (τ − C v + τ_g), m/s² or rad/s².",
    },
    Method {
        kernel: "PassiveForce",
        inputs: &["q", "v"],
        summary: "The force of springs and dampers, which a simulation applies, N or N m.",
    },
    Method {
        kernel: "InputMatrix",
        inputs: &[],
        summary: "The input matrix B: B u is the force of the actuators, N or N m.",
    },
];

pub(super) fn methods(source: &Source<'_, '_>) -> TokenStream {
    let ident = source.ident;
    let mut document = document::robot(source.description, source.sizes());
    if let Some((_, equations)) = source.equations {
        document.push_str(&document::mobility(source.description, equations.mobility.as_ref()));
    }
    let constants = constants(source);
    let runtime = source.runtime;
    let place = quote!(#runtime::Model);
    let pairs = METHODS.iter().map(|method| pair(source, &place, method));
    let numbers = measures::numbers(source);
    let contacts = measures::contacts(source);
    let constraints = measures::constraints(source);
    let limits = measures::limits(source);
    let frames = measures::frames(source);
    quote! {
        #[doc = #document]
        impl #ident {
            #constants
            #(#pairs)*
            #numbers
            #contacts
            #constraints
            #limits
            #frames
        }
    }
}

fn constants(source: &Source<'_, '_>) -> TokenStream {
    let description = source.description;
    let (nq, nv, nu) = source.sizes();
    let own = description.joints.iter();
    let own = own.filter(|joint| joint.mimic.is_none() && joint.family.nv() > 0);
    let names: Vec<_> = own.map(|joint| &joint.name.text).collect();
    let count = names.len();
    let limits = constant_limits(description).map(|limits| {
        let number = |x: f64| match x {
            f64::INFINITY => quote!(f64::INFINITY),
            f64::NEG_INFINITY => quote!(f64::NEG_INFINITY),
            x => quote!(#x),
        };
        let pairs = limits.iter().map(|&[lower, upper]| {
            let (lower, upper) = (number(lower), number(upper));
            quote!([#lower, #upper])
        });
        quote! {
            /// Lower and upper limit of the coordinate that each velocity coordinate moves.
            pub const POSITION_LIMITS: [[f64; 2]; #nv] = [#(#pairs),*];
        }
    });
    let frames = frame_constants(source);
    quote! {
        /// Number of configuration coordinates.
        pub const NQ: usize = #nq;
        /// Number of velocity coordinates.
        pub const NV: usize = #nv;
        /// Number of inputs.
        pub const NU: usize = #nu;
        /// Names of the joints, in the order of their coordinates.
        pub const JOINT_NAMES: [&'static str; #count] = [#(#names),*];
        #limits
        #frames
    }
}

/// One constant a frame. Of names that clash, which is an error, the first is enough.
fn frame_constants(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let mut taken: Vec<String> = RESERVED.iter().map(|&name| name.to_owned()).collect();
    let mut tokens = TokenStream::new();
    for (k, frame) in source.description.frames.iter().enumerate() {
        let name = constant(&frame.name.text);
        let ident = Ident::new(&name, Span::call_site());
        let document = format!("The frame `{}`.", frame.name.text);
        if !taken.contains(&name) {
            tokens.extend(quote! {
                #[doc = #document]
                pub const #ident: #runtime::FrameId<Self> = #runtime::FrameId::new(#k);
            });
        }
        taken.push(name);
    }
    tokens
}
