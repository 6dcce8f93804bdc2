// Writes generated/*-types.ts from JSON schemas, which tests write from the types in Rust. With `--check`, fails if a
// file is not what the schemas give.
import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';
import { format, resolveConfig } from 'prettier';

const generated = new URL('generated/', import.meta.url);
const published = ['findings', 'diff'].map(
  (name) => new URL(`../../../docs/${name}.schema.json`, import.meta.url),
);
const style = { ...(await resolveConfig(new URL(import.meta.url))), parser: 'typescript' };
/** Schemas by the file that has their types. */
const files = {
  'findings-types.ts': [...published, new URL('candidates.schema.json', generated)],
  'page-types.ts': [new URL('page.schema.json', generated)],
};

for (const [name, schemas] of Object.entries(files)) {
  const text = await declared(schemas);
  const path = new URL(name, generated);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, text);
  } else if (readFileSync(path, 'utf8') !== text) {
    console.error(`generated/${name} is stale: npm run types writes it anew`);
    process.exitCode = 1;
  }
}

/** Returns declarations of all types in the schemas, by name. */
async function declared(schemas) {
  const types = new Map();
  const foreign = new Set();
  for (const file of schemas) {
    const { $defs = {}, ...root } = parsed(file);
    for (const [name, schema] of Object.entries({ ...$defs, [root.title]: root })) {
      const type = { ...simple(schema, file, foreign), title: name };
      const known = types.get(name);
      if (known && JSON.stringify(known) !== JSON.stringify(type))
        throw new Error(`two types are named ${name}`);
      types.set(name, type);
    }
  }
  const options = { additionalProperties: false, bannerComment: '', format: false };
  const sorted = [...types.keys()].sort();
  const parts = await Promise.all(sorted.map((name) => compile(types.get(name), name, options)));
  if (foreign.size)
    parts.unshift(`import type { ${[...foreign].sort().join(', ')} } from './findings-types';`);
  parts.unshift('// Written by `npm run types` from JSON schemas; do not edit.');
  return short(await format(plain(parts.join('\n\n')), style));
}

/** Removes lengths of tuples from comments: the types state them. */
function plain(text) {
  return text
    .replace(/(\n *\* *)?\n *\* @minItems \d+\n *\* @maxItems \d+/g, '')
    .replace(/\/\*\*\n *\*\/\n/g, '');
}

/** Puts comments of one line on one line. */
function short(text) {
  return text.replace(/\/\*\*\n *\* (.*)\n *\*\//g, '/** $1 */');
}

function parsed(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * Returns a schema in the terms that the tool knows: references are names of types, and tuples those of older drafts.
 * Adds the types of other files to `foreign`.
 */
function simple(schema, file, foreign) {
  if (Array.isArray(schema)) return schema.map((one) => simple(one, file, foreign));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, prefixItems, ...rest } = schema;
  const known = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, simple(value, file, foreign)]),
  );
  if ($ref !== undefined) {
    const [other, path] = $ref.split('#');
    known.tsType = path ? path.replace('/$defs/', '') : parsed(new URL(other, file)).title;
    if (other) foreign.add(known.tsType);
  }
  if (prefixItems !== undefined) {
    known.items = simple(prefixItems, file, foreign);
    known.additionalItems = false;
  }
  return known;
}
