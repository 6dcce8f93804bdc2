//! Splits a YAML file into tokens, up to its end or the first error.

use std::mem::MaybeUninit;
use unsafe_libyaml::*;

fn main() {
    let path = std::env::args().nth(1).expect("a file");
    let text = std::fs::read(path).expect("the file can be read");
    let mut count = 0;
    unsafe {
        let mut parser = MaybeUninit::<yaml_parser_t>::uninit();
        let parser = parser.as_mut_ptr();
        assert!(yaml_parser_initialize(parser).ok);
        yaml_parser_set_input_string(parser, text.as_ptr(), text.len() as u64);
        loop {
            let mut token = MaybeUninit::<yaml_token_t>::uninit();
            let token = token.as_mut_ptr();
            if yaml_parser_scan(parser, token).fail {
                break;
            }
            let is_last = (*token).type_ == YAML_STREAM_END_TOKEN;
            yaml_token_delete(token);
            count += 1;
            if is_last {
                break;
            }
        }
        yaml_parser_delete(parser);
    }
    println!("{count}");
}
