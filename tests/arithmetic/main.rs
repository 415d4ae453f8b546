//! Kernels over other arithmetic than that of one state in `f64`.

mod batch;
mod derivatives;
mod dual;
mod limbs;
