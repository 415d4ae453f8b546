//! How points and links move with the coordinates, as rows.

use nalgebra::Vector3;

use super::table::Table;

impl Table {
    /// Adds to `row`, (nv), how fast the point `x` of a link moves along `direction`, as [`Model`](crate::Model::add_point_row) does.
    ///
    /// > d · (u + ω × x) = d · u + (x × d) · ω
    pub(crate) fn add_point_row(
        &self,
        columns: &[f64],
        link: usize,
        x: &Vector3<f64>,
        direction: &Vector3<f64>,
        row: &mut [f64],
    ) {
        let moment = x.cross(direction);
        let (columns, _) = columns.as_chunks::<6>();
        for &k in self.supports.get(link).copied().unwrap_or_default() {
            let Some([x, y, z, turning @ ..]) = columns.get(k) else { continue };
            let entry = self.columns.get(k).and_then(|&coordinate| row.get_mut(coordinate));
            if let Some(entry) = entry {
                *entry += direction.dot(&Vector3::new(*x, *y, *z));
                *entry += moment.dot(&Vector3::from(*turning));
            }
        }
    }

    /// Adds the same along three directions, one row after the other.
    #[cfg(feature = "std")]
    pub(crate) fn add_point_rows(
        &self,
        columns: &[f64],
        link: usize,
        x: &Vector3<f64>,
        directions: &[Vector3<f64>; 3],
        rows: &mut [f64],
    ) {
        for &k in self.supports.get(link).copied().unwrap_or_default() {
            let column = &columns[6 * k..6 * (k + 1)];
            let [u, w] = [&column[..3], &column[3..]].map(Vector3::from_column_slice);
            let velocity = u + w.cross(x);
            for (row, along) in directions.iter().enumerate() {
                rows[self.nv * row + self.columns[k]] += along.dot(&velocity);
            }
        }
    }

    /// The velocity of the point `x` of a link, m/s, and that at which the link turns, rad/s, under v, (nv).
    pub(crate) fn point_velocity(
        &self,
        columns: &[f64],
        link: usize,
        v: &[f64],
        x: &Vector3<f64>,
    ) -> [Vector3<f64>; 2] {
        let [mut linear, mut angular] = [Vector3::zeros(); 2];
        for &k in self.supports.get(link).copied().unwrap_or_default() {
            let column = &columns[6 * k..6 * (k + 1)];
            linear += Vector3::from_column_slice(&column[..3]) * v[self.columns[k]];
            angular += Vector3::from_column_slice(&column[3..]) * v[self.columns[k]];
        }
        [linear + angular.cross(x), angular]
    }

    /// Adds d · ω of a link to a row, (nv).
    pub(crate) fn add_turning_row(
        &self,
        columns: &[f64],
        link: usize,
        direction: &Vector3<f64>,
        row: &mut [f64],
    ) {
        let (columns, _) = columns.as_chunks::<6>();
        for &k in self.supports.get(link).copied().unwrap_or_default() {
            let Some([_, _, _, turning @ ..]) = columns.get(k) else { continue };
            let entry = self.columns.get(k).and_then(|&coordinate| row.get_mut(coordinate));
            if let Some(entry) = entry {
                *entry += direction.dot(&Vector3::from(*turning));
            }
        }
    }
}
