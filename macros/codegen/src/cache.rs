//! Expansions that are asked for again and again, as an IDE does.
//!
//! An expansion is kept by its content: the tokens of the struct, the package, and what stands in the
//! files that were read. Only what is asked for a second time is kept, so that a compiler, which
//! expands everything once, pays nothing for it.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::{env, fs};

use proc_macro2::TokenStream;

/// Expansions that are remembered; those of the longest time ago are forgotten.
const MOST: usize = 16;

/// An expansion and the files that it was made from.
pub(crate) struct Expansion {
    pub(crate) tokens: TokenStream,
    pub(crate) files: Vec<PathBuf>,
    /// Whether there are no errors in it. Those point at tokens, which are lost in the text that is
    /// kept.
    pub(crate) succeeded: bool,
}

/// What was expanded, the latest last.
pub(crate) struct Cache(Mutex<Vec<Entry>>);

struct Entry {
    input: String,
    package: Option<OsString>,
    files: Vec<(PathBuf, Option<Vec<u8>>)>,
    /// The expansion; nothing if it was asked for only once.
    text: Option<String>,
}

impl Cache {
    pub(crate) const fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    /// The expansion of `input`, from memory if it is there.
    pub(crate) fn expand(
        &self,
        input: TokenStream,
        expand: impl FnOnce(TokenStream) -> Expansion,
    ) -> TokenStream {
        let (text, package) = (input.to_string(), env::var_os("CARGO_MANIFEST_DIR"));
        let known = self.take(&text, &package);
        if let Some(kept) = known.as_ref().and_then(|entry| entry.text.as_ref())
            && let Ok(tokens) = kept.parse()
        {
            self.put(known);
            return tokens;
        }
        let expansion = expand(input);
        self.put(expansion.succeeded.then(|| Entry {
            input: text,
            package,
            files: expansion.files.into_iter().map(with_content).collect(),
            text: known.map(|_| expansion.tokens.to_string()),
        }));
        expansion.tokens
    }

    /// Takes out what is known of this input, unless a file has changed since.
    fn take(&self, input: &str, package: &Option<OsString>) -> Option<Entry> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let same = |entry: &Entry| entry.input == input && entry.package == *package;
        let entry = entries.iter().position(same).map(|place| entries.remove(place))?;
        entry.files.iter().all(is_unchanged).then_some(entry)
    }

    fn put(&self, entry: Option<Entry>) {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.extend(entry);
        let excess = entries.len().saturating_sub(MOST);
        entries.drain(..excess);
    }
}

fn with_content(path: PathBuf) -> (PathBuf, Option<Vec<u8>>) {
    let content = fs::read(&path).ok();
    (path, content)
}

fn is_unchanged((path, content): &(PathBuf, Option<Vec<u8>>)) -> bool {
    fs::read(path).ok() == *content
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use quote::quote;

    use super::*;

    /// Expands to what the file contains; counts how often.
    fn expand(cache: &Cache, count: &Cell<usize>, path: Option<&PathBuf>) -> String {
        let expansion = |input: TokenStream| {
            count.set(count.get() + 1);
            let content = path.and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
            let tokens = quote!(#input; #content);
            Expansion { tokens, files: path.cloned().into_iter().collect(), succeeded: true }
        };
        cache
            .expand(
                quote!(
                    struct Robot;
                ),
                expansion,
            )
            .to_string()
    }

    #[test]
    fn the_third_expansion_is_remembered() {
        let (cache, count) = (Cache::new(), Cell::new(0));
        let all: Vec<_> = (0..5).map(|_| expand(&cache, &count, None)).collect();
        assert_eq!(count.get(), 2);
        assert!(all.iter().all(|text| *text == all[0]));
    }

    #[test]
    fn a_changed_file_is_read_again() -> std::io::Result<()> {
        let path = env::temp_dir().join(format!("jourdain-cache-{}.urdf", std::process::id()));
        let (cache, count) = (Cache::new(), Cell::new(0));
        fs::write(&path, "one")?;
        let ones: Vec<_> = (0..4).map(|_| expand(&cache, &count, Some(&path))).collect();
        fs::write(&path, "two")?;
        let two = expand(&cache, &count, Some(&path));
        fs::remove_file(&path)?;
        let none = expand(&cache, &count, Some(&path));
        assert!(ones.iter().all(|text| text.contains("\"one\"")), "{ones:?}");
        assert!(two.contains("\"two\"") && !none.contains("\"two\""), "{two} {none}");
        assert_eq!(count.get(), 4);
        Ok(())
    }

    #[test]
    fn errors_are_not_remembered() {
        let (cache, count) = (Cache::new(), Cell::new(0));
        for _ in 0..4 {
            let _ = cache.expand(
                quote!(
                    struct Robot;
                ),
                |tokens| {
                    count.set(count.get() + 1);
                    Expansion { tokens, files: Vec::new(), succeeded: false }
                },
            );
        }
        assert_eq!(count.get(), 4);
    }

    #[test]
    fn no_more_than_so_many_are_remembered() {
        let cache = Cache::new();
        for k in 0..3 * MOST {
            let _ = cache.expand(quote!(struct Robot { field: [f64; #k] }), |tokens| Expansion {
                tokens,
                files: Vec::new(),
                succeeded: true,
            });
        }
        assert_eq!(cache.0.lock().map_or(0, |entries| entries.len()), MOST);
    }
}
