//! Parses the query parameters of a request.

use crate::answer::Refusal;

/// Query parameters by name, each at most once.
#[derive(Debug)]
pub(crate) struct Query {
    parameters: Vec<(String, String)>,
}

impl Query {
    /// Parses the text after the `?`; only these `names` may occur.
    ///
    /// An unknown name is a mistake of the client and is reported, like an unknown option on the command line.
    pub(crate) fn parse(text: &str, names: &[&str]) -> Result<Self, Refusal> {
        let mut parameters: Vec<(String, String)> = Vec::new();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decode(name)?, decode(value)?);
            if !names.contains(&name.as_str()) {
                let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
                return Err(Refusal::bad_request(format!("unknown parameter `{name}` (known: {names})")));
            }
            if parameters.iter().any(|(n, _)| *n == name) {
                return Err(Refusal::bad_request(format!("the parameter `{name}` occurs twice")));
            }
            parameters.push((name, value));
        }
        Ok(Self { parameters })
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    pub(crate) fn require(&self, name: &str) -> Result<&str, Refusal> {
        self.get(name).ok_or_else(|| Refusal::bad_request(format!("the parameter `{name}` is missing")))
    }
}

/// Decodes `%xx` and `+`, which browsers use to encode parameters.
fn decode(text: &str) -> Result<String, Refusal> {
    let refused = || Refusal::bad_request("a parameter is not percent-encoded UTF-8");
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'+' => b' ',
            b'%' => {
                let mut digit = || rest.next().and_then(|b| char::from(b).to_digit(16)).ok_or_else(refused);
                (digit()? << 4 | digit()?) as u8
            }
            other => other,
        });
    }
    String::from_utf8(bytes).map_err(|_| refused())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_decoded_once() {
        let query = Query::parse("file=a%20b%2Fc%252e+d%26e%3D&line=", &["file", "line"]).unwrap();
        assert_eq!(query.get("file"), Some("a b/c%2e d&e="));
        assert_eq!(query.require("line").unwrap(), "");
        assert!(query.get("at").is_none());
    }

    #[test]
    fn what_is_no_parameter_is_refused() {
        let wrong = [
            "file=%",
            "file=%2",
            "file=%zz",
            "file=%+1",
            "file=%ff",
            "file=a&file=b",
            "other=1",
            "%66ile=%c3%28",
        ];
        for text in wrong {
            let refused = format!("{:?}", Query::parse(text, &["file"]).err());
            assert!(refused.contains("status: 400"), "{text}: {refused}");
        }
        let missing = Query::parse("", &[]).unwrap().require("file").err();
        assert!(format!("{missing:?}").contains("the parameter `file` is missing"), "{missing:?}");
    }
}
