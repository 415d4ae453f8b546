//! The inherent constants and methods of the described struct.
//!
//! They are the kernels of the runtime's `Model` with concrete types and their own documentation, so
//! that a program that uses one robot sees its shapes and costs. What is the same for all robots,
//! such as the operations of the configuration manifold, is in the trait alone.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote};

use crate::parse::{RESERVED, constant};

use super::document;
use super::source::{Source, constant_limits, snake_case};

/// A method that returns a vector or matrix of coordinates.
struct Method {
    kernel: &'static str,
    inputs: &'static [&'static str],
    output: &'static str,
    summary: &'static str,
}

const METHODS: [Method; 8] = [
    Method {
        kernel: "MassMatrix",
        inputs: &["q"],
        output: "Mass",
        summary: "The mass matrix M(q), armature included: kg, kg m and kg m² as the coordinates are lengths \
                  or angles.",
    },
    Method {
        kernel: "CoriolisMatrix",
        inputs: &["q", "v"],
        output: "Mass",
        summary: "The Coriolis matrix C(q, v), units of M per second; Ṁ − 2C is skew-symmetric.",
    },
    Method {
        kernel: "GravityForce",
        inputs: &["q"],
        output: "V",
        summary: "The force of gravity τ_g(q) = −Nᵀ ∂U/∂q, on the right-hand side, N or N m.",
    },
    Method {
        kernel: "BiasForce",
        inputs: &["q", "v"],
        output: "V",
        summary: "The bias force C v − τ_g: what holds the velocity constant, N or N m.",
    },
    Method {
        kernel: "InverseDynamics",
        inputs: &["q", "v", "v_dot"],
        output: "V",
        summary: "The generalised force τ = M v̇ + C v − τ_g, N or N m.",
    },
    Method {
        kernel: "ForwardDynamics",
        inputs: &["q", "v", "tau"],
        output: "V",
        summary: "The acceleration v̇ = M⁻¹ (τ − C v + τ_g), m/s² or rad/s².",
    },
    Method {
        kernel: "PassiveForce",
        inputs: &["q", "v"],
        output: "V",
        summary: "The force of springs and dampers, which a simulation applies, N or N m.",
    },
    Method {
        kernel: "InputMatrix",
        inputs: &[],
        output: "Input",
        summary: "The input matrix B: B u is the force of the actuators, N or N m.",
    },
];

pub(super) fn methods(source: &Source<'_, '_>) -> TokenStream {
    let ident = source.ident;
    let document = document::robot(source.description, source.sizes());
    let constants = constants(source);
    let pairs = METHODS.iter().map(|method| pair(source, method));
    let numbers = numbers(source);
    let contacts = contacts(source);
    let frames = frames(source);
    quote! {
        #[doc = #document]
        impl #ident {
            #constants
            #(#pairs)*
            #numbers
            #contacts
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

/// A method and its variant that writes into what it is given.
fn pair(source: &Source<'_, '_>, method: &Method) -> TokenStream {
    let runtime = source.runtime;
    let document = document::quantity(method.summary, source.quantity(method.kernel));
    let name = snake_case(method.kernel);
    let into = format_ident!("{name}_into");
    let into_document = format!("[`{name}`](Self::{name}), written into `out`.");
    let name = Ident::new(&name, Span::call_site());
    let inputs: Vec<_> =
        method.inputs.iter().map(|input| Ident::new(input, Span::call_site())).collect();
    let types =
        method.inputs.iter().map(|&input| concrete(source, if input == "q" { "Q" } else { "V" }));
    let types: Vec<_> = types.collect();
    let output = concrete(source, method.output);
    quote! {
        #[doc = #document]
        #[inline]
        pub fn #name(&self #(, #inputs: &#types)*) -> #output {
            #runtime::Model::#name(self #(, #inputs)*)
        }

        #[doc = #into_document]
        #[inline]
        pub fn #into(&self #(, #inputs: &#types)*, out: &mut #output) {
            #runtime::Model::#into(self #(, #inputs)*, out)
        }
    }
}

/// The type that an associated type of `Model` is.
fn concrete(source: &Source<'_, '_>, name: &str) -> TokenStream {
    let runtime = source.runtime;
    let (nq, nv, nu) = source.sizes();
    match name {
        "Q" => quote!(#runtime::nalgebra::SVector<f64, #nq>),
        "V" => quote!(#runtime::nalgebra::SVector<f64, #nv>),
        "Mass" => quote!(#runtime::nalgebra::SMatrix<f64, #nv, #nv>),
        _ => quote!(#runtime::nalgebra::SMatrix<f64, #nv, #nu>),
    }
}

fn numbers(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let (q, v) = (concrete(source, "Q"), concrete(source, "V"));
    let of = |kernel: &str, summary: &str| document::quantity(summary, source.quantity(kernel));
    let kinetic = of("KineticEnergy", "The kinetic energy T = ½ vᵀ M v, in joules.");
    let potential = of(
        "PotentialEnergy",
        "The potential energy U of gravity, in joules, zero for a mass at the world's origin.",
    );
    let center = of("CenterOfMass", "The centre of mass in the world, in metres.");
    let momentum = of(
        "Momentum",
        "Linear momentum, then angular momentum about the world's origin, in world axes.",
    );
    quote! {
        #[doc = #kinetic]
        pub fn kinetic_energy(&self, q: &#q, v: &#v) -> f64 {
            #runtime::Model::kinetic_energy(self, q, v)
        }

        #[doc = #potential]
        pub fn potential_energy(&self, q: &#q) -> f64 {
            #runtime::Model::potential_energy(self, q)
        }

        #[doc = #center]
        pub fn center_of_mass(&self, q: &#q) -> #runtime::nalgebra::Vector3<f64> {
            #runtime::Model::center_of_mass(self, q)
        }

        #[doc = #momentum]
        pub fn momentum(&self, q: &#q, v: &#v) -> #runtime::nalgebra::Vector6<f64> {
            #runtime::Model::momentum(self, q, v)
        }

        /// Whether motion can be computed from the fields and this state.
        ///
        /// # Errors
        ///
        /// Names what cannot be.
        pub fn check(&self, q: &#q, v: &#v) -> ::core::result::Result<(), #runtime::ModelError> {
            #runtime::Model::check(self, q, v)
        }
    }
}

fn contacts(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    let contacts = source.description.contacts.len();
    if contacts == 0 {
        return TokenStream::new();
    }
    let (_, nv, _) = source.sizes();
    let rows = 3 * contacts;
    let (q, v) = (concrete(source, "Q"), concrete(source, "V"));
    let algebra = quote!(#runtime::nalgebra);
    let zeros = quote!(#runtime::space::Storage);
    let of = |kernel: &str, summary: &str| document::quantity(summary, source.quantity(kernel));
    let gap = of("Gap", "The gaps φ(q) of the contacts, in metres, positive apart.");
    let jacobian = of(
        "ContactJacobian",
        "The contact Jacobian J(q); rows of a contact: normal, first and second tangent.",
    );
    let bias = of("ContactBias", "J̇ v of the contacts, m/s².");
    quote! {
        #[doc = #gap]
        pub fn gap(&self, q: &#q) -> #algebra::SVector<f64, #contacts> {
            let mut out = <#algebra::SVector<f64, #contacts> as #zeros>::zeros();
            #runtime::Model::gap_into(self, q, #zeros::as_mut_slice(&mut out));
            out
        }

        #[doc = #jacobian]
        pub fn contact_jacobian(&self, q: &#q) -> #algebra::SMatrix<f64, #rows, #nv> {
            let mut out = <#algebra::SMatrix<f64, #rows, #nv> as #zeros>::zeros();
            #runtime::Model::contact_jacobian_into(self, q, #zeros::as_mut_slice(&mut out));
            out
        }

        #[doc = #bias]
        pub fn contact_bias(&self, q: &#q, v: &#v) -> #algebra::SVector<f64, #rows> {
            let mut out = <#algebra::SVector<f64, #rows> as #zeros>::zeros();
            #runtime::Model::contact_bias_into(self, q, v, #zeros::as_mut_slice(&mut out));
            out
        }
    }
}

fn frames(source: &Source<'_, '_>) -> TokenStream {
    let runtime = source.runtime;
    if source.description.frames.is_empty() {
        return TokenStream::new();
    }
    let (_, nv, _) = source.sizes();
    let (q, v) = (concrete(source, "Q"), concrete(source, "V"));
    let zeros = quote!(#runtime::space::Storage);
    let matrix = quote!(#runtime::nalgebra::SMatrix<f64, 6, #nv>);
    quote! {
        /// The pose of a declared frame in the world, in metres.
        pub fn frame_pose(&self, frame: #runtime::FrameId<Self>, q: &#q) -> #runtime::Pose {
            #runtime::Model::frame_pose(self, frame, q)
        }

        /// The Jacobian of a declared frame, linear rows first: J v is the frame's velocity as
        /// `reference` says.
        pub fn frame_jacobian(
            &self,
            frame: #runtime::FrameId<Self>,
            reference: #runtime::ReferenceFrame,
            q: &#q,
        ) -> #matrix {
            let mut out = <#matrix as #zeros>::zeros();
            let slice = #zeros::as_mut_slice(&mut out);
            #runtime::Model::frame_jacobian_into(self, frame, reference, q, slice);
            out
        }

        /// J̇ v of a declared frame, linear first: the derivative of its velocity as `reference`
        /// says at v̇ = 0, m/s² and rad/s².
        pub fn frame_bias(
            &self,
            frame: #runtime::FrameId<Self>,
            reference: #runtime::ReferenceFrame,
            q: &#q,
            v: &#v,
        ) -> #runtime::nalgebra::Vector6<f64> {
            #runtime::Model::frame_bias(self, frame, reference, q, v)
        }
    }
}
