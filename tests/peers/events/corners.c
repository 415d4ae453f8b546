/* Corners of a block of 0.2 m by 1 m, of (x, z, θ) of its middle: their gaps, how far along the ground they are, and both
   rows, column by column, as Siconos asks for them. */

#include <math.h>

static void place(double side, const double *q, double *y) {
    y[0] = q[1] + side * 0.1 * sin(q[2]) - 0.5 * cos(q[2]);
    y[1] = q[0] + side * 0.1 * cos(q[2]) + 0.5 * sin(q[2]);
}

static void rows(double side, const double *q, double *g) {
    double normal[3] = {0.0, 1.0, side * 0.1 * cos(q[2]) + 0.5 * sin(q[2])};
    double tangent[3] = {1.0, 0.0, 0.5 * cos(q[2]) - side * 0.1 * sin(q[2])};
    for (int column = 0; column < 3; ++column) {
        g[2 * column] = normal[column];
        g[2 * column + 1] = tangent[column];
    }
}

void left(unsigned nq, const double *q, unsigned ny, double *y, unsigned nz, double *z) {
    (void)nq, (void)ny, (void)nz, (void)z;
    place(-1.0, q, y);
}

void left_rows(unsigned nq, const double *q, unsigned ny, double *g, unsigned nz, double *z) {
    (void)nq, (void)ny, (void)nz, (void)z;
    rows(-1.0, q, g);
}

void right(unsigned nq, const double *q, unsigned ny, double *y, unsigned nz, double *z) {
    (void)nq, (void)ny, (void)nz, (void)z;
    place(1.0, q, y);
}

void right_rows(unsigned nq, const double *q, unsigned ny, double *g, unsigned nz, double *z) {
    (void)nq, (void)ny, (void)nz, (void)z;
    rows(1.0, q, g);
}
