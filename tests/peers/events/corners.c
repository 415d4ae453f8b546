/* Heights of the corners of a block of 0.2 m by 1 m, of (y, θ) of its middle, and their rows, as Siconos asks for them. */

#include <math.h>

static void height(double side, const double *q, double *y) {
    y[0] = q[0] + side * 0.1 * sin(q[1]) - 0.5 * cos(q[1]);
}

static void row(double side, const double *q, double *g) {
    g[0] = 1.0;
    g[1] = side * 0.1 * cos(q[1]) + 0.5 * sin(q[1]);
}

void left(unsigned nq, const double *q, unsigned ny, double *y, unsigned nz, double *z) {
    (void)nq, (void)ny, (void)nz, (void)z;
    height(-1.0, q, y);
}

void left_row(unsigned nq, const double *q, unsigned ny, double *g, unsigned nz, double *z) {
    (void)nq, (void)ny, (void)nz, (void)z;
    row(-1.0, q, g);
}

void right(unsigned nq, const double *q, unsigned ny, double *y, unsigned nz, double *z) {
    (void)nq, (void)ny, (void)nz, (void)z;
    height(1.0, q, y);
}

void right_row(unsigned nq, const double *q, unsigned ny, double *g, unsigned nz, double *z) {
    (void)nq, (void)ny, (void)nz, (void)z;
    row(1.0, q, g);
}
