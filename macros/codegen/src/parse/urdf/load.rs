//! Where a file that the attribute names is found.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::super::reader::Reader;
use super::super::syntax::Word;
use super::dialect::decoded;
use super::{File, UrdfOptions, read};

/// Reads the file that `path` names, and says where it was found.
pub(in super::super) fn load(
    reader: &mut Reader<'_>,
    path: &Word,
    options: UrdfOptions,
) -> Option<(File, PathBuf)> {
    if !path.quoted {
        reader.error(&path.at(), "expected a path as a string, `urdf = \"robot.urdf\"`");
        return None;
    }
    match find(&reader.folders, path) {
        Ok((found, bytes)) => {
            let (text, is_guessed) = decoded(&bytes);
            if is_guessed {
                let message = "is not UTF-8, as it should be, and is read as Latin-1";
                reader.warn(&path.at(), format!("`{}` {message}", path.text));
            }
            let file = read(reader, &path.text, path.span, &text, options);
            reader.lost |= file.is_none();
            Some((file.unwrap_or_default(), found))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let places = "neither in the package's folder nor beside this source file";
            let message = format!("there is no file `{}`, {places}", path.text);
            reader.error(&path.at(), message);
            None
        }
        Err(error) => {
            reader.error(&path.at(), format!("`{}` cannot be read: {error}", path.text));
            None
        }
    }
}

/// The first candidate that exists, and its content.
fn find(folders: &[PathBuf], path: &Word) -> io::Result<(PathBuf, Vec<u8>)> {
    let beside = path.span.local_file().and_then(|file| file.parent().map(Path::to_owned));
    let mut result = Err(io::Error::from(ErrorKind::NotFound));
    for folder in folders.iter().chain(&beside) {
        let candidate = folder.join(&path.text);
        result = fs::read(&candidate).and_then(|bytes| Ok((fs::canonicalize(&candidate)?, bytes)));
        if !matches!(&result, Err(error) if error.kind() == ErrorKind::NotFound) {
            break;
        }
    }
    result
}
