// Makes studies with trend-prof, writes their pages, and walks through them in Debian's Chromium.
//
//     cargo build -p trend-prof && cargo build -p trend-profile --example made_study && npm run e2e [-- NAME…]
//
// TREND_PROF and MADE_STUDY name other binaries; CHROMIUM names another browser. NAMEs are files of tests/e2e.
import { build } from 'esbuild';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { relative, resolve } from 'node:path';

import { ownFonts } from './fonts.mjs';

const here = resolve(new URL('.', import.meta.url).pathname);
const root = resolve(here, '../../../..');
const target = process.env.CARGO_TARGET_DIR ?? `${root}/target`;
const trendProf = resolve(process.env.TREND_PROF ?? `${target}/debug/trend-prof`);
const madeStudy = resolve(process.env.MADE_STUDY ?? `${target}/debug/examples/made_study`);
const out = `${here}/out`;
const studies = `${out}/studies`;

const run = (program, args, cwd = studies) =>
  execFileSync(program, args, { cwd, stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: 1 << 28 }).toString();

/** True if a file is newer than its sources. */
const isNewer = (file, ...sources) =>
  existsSync(file) && sources.every((source) => statSync(file).mtimeMs > statSync(source).mtimeMs);

/** Makes the studies. Studies of real runs are kept between calls; delete tests/out to make them again. */
function makeStudies() {
  mkdirSync(studies, { recursive: true });
  if (!existsSync(`${studies}/demo`)) run(trendProf, ['-q', 'demo', 'demo', '--quick']);
  for (const example of ['list-append', 'bzip2']) {
    const folder = `${studies}/${example}`;
    if (existsSync(folder)) continue;
    cpSync(`${root}/examples/${example}`, folder, { recursive: true });
    if (existsSync(`${folder}/fetch.sh`)) run('./fetch.sh', [], folder);
    run(trendProf, ['-q', 'run'], folder);
  }
  const memory = `${studies}/list-append-memory`;
  if (!existsSync(memory)) {
    cpSync(`${root}/examples/list-append`, memory, { recursive: true });
    run(trendProf, ['-q', 'run', '--memory-by-line'], memory);
  }
  makeVersions();
  makeAnswers();
  const made = { hostile: [], loops: [], routines: [], large: [], many: ['routines', '10000', '4'] };
  for (const [kind, numbers] of Object.entries(made)) {
    const file = `${studies}/${kind}.trend`;
    if (isNewer(file, madeStudy)) continue;
    rmSync(file, { force: true });
    run(madeStudy, [...(numbers.length > 0 ? numbers : [kind]), file]);
  }
}

/** A list that keeps a pointer to its last node. */
const LIST = `#include <stddef.h>
#include "parser.h"
node *append(node *list, node *added) {
    node *first = list ? list : added;
    if (list) list->last->next = added;
    first->last = added;
    return first;
}
`;

/** Returns the counts of functions at ten sizes, doubling from `first` on. */
function counts(first, functions) {
  const names = Object.keys(functions);
  const rows = Array.from({ length: 10 }, (_, i) => first * 2 ** i);
  const lines = rows.map((n) => [`n=${n}`, n, ...names.map((name) => functions[name](n))]);
  const head = ['workload', 'n', ...names.map((name, i) => `a.c:${10 * i + 1}:${name}`)];
  return [head, ...lines].map((line) => `${line.join(',')}\n`).join('');
}

/** Makes other versions of programs for comparison. */
function makeVersions() {
  const tail = `${studies}/list-append-tail`;
  if (!existsSync(tail)) {
    cpSync(`${root}/examples/list-append`, tail, { recursive: true });
    const header = `${tail}/parser.h`;
    writeFileSync(
      header,
      readFileSync(header, 'utf8').replace('struct node *next;', 'struct node *next, *last;'),
    );
    writeFileSync(`${tail}/list.c`, LIST);
    run(trendProf, ['-q', 'run'], tail);
  }
  const line = (n) => 40 * n;
  const made = {
    old: counts(100, { line, gone: (n) => 3 * n }),
    new: counts(100, { line, fresh: (n) => 2 * n }),
    elsewhere: counts(150, { line, gone: (n) => 3 * n }),
  };
  for (const [name, text] of Object.entries(made)) {
    if (existsSync(`${studies}/${name}.trend`)) continue;
    writeFileSync(`${studies}/${name}.csv`, text);
    const program = ['--program', 'versions', '--study', `${name}.trend`];
    run(trendProf, ['-q', 'import', 'csv', `${name}.csv`, '--features', 'n', ...program]);
  }
}

/** Makes a study with an answer of each kind. */
function makeAnswers() {
  const noise = [1, 1.07, 0.95, 1.03, 0.94, 1.06, 0.96, 1.04, 0.97, 1.02];
  const noisy = (cost, n) => Math.round(cost * noise[Math.round(Math.log2(n / 100))]);
  const line = (n) => 100 * n;
  const many = Array.from({ length: 30 }, (_, i) => [`part${i}`, (n) => Math.round((n * n) / 100)]);
  const made = {
    fix: { line, pairs: (n) => Math.round((n * n) / 1000 + 50) },
    open: { line, open: (n) => noisy(20 * n + 0.0002 * n * n, n) },
    steady: { line, sort: (n) => Math.round(20 * n * Math.log2(n)) },
    small: { line, pairs: (n) => Math.round(n * n * 6e-6) },
    all: Object.fromEntries(many),
  };
  for (const [kind, functions] of Object.entries(made)) {
    const name = `answer-${kind}`;
    if (existsSync(`${studies}/${name}.trend`)) continue;
    writeFileSync(`${studies}/${name}.csv`, counts(100, functions));
    const program = ['--program', 'answers', '--study', `${name}.trend`];
    run(trendProf, ['-q', 'import', 'csv', `${name}.csv`, '--features', 'n', ...program]);
  }
}

function study(name) {
  const folder = name === 'demo' ? 'demo' : name;
  const inside = existsSync(`${studies}/${folder}`)
    ? readdirSync(`${studies}/${folder}`).find((f) => f.endsWith('.trend'))
    : undefined;
  return inside ? `${studies}/${folder}/${inside}` : `${studies}/${name}.trend`;
}

makeStudies();
for (const name of [
  'demo',
  'list-append',
  'list-append-memory',
  'bzip2',
  'hostile',
  'loops',
  'routines',
  'large',
  'many',
  ...['fix', 'open', 'steady', 'small', 'all'].map((kind) => `answer-${kind}`),
]) {
  const page = `${out}/${name}.html`;
  if (!isNewer(page, trendProf, study(name))) run(trendProf, ['-q', 'report', study(name), '-o', page]);
}
// Each page shows the second study, compared with the first.
const VERSIONS = {
  'compare-improved': ['list-append', 'list-append-tail'],
  'compare-regressed': ['list-append-tail', 'list-append'],
  'compare-identical': ['list-append', 'list-append'],
  'compare-new': ['old', 'new'],
  'compare-undecided': ['elsewhere', 'old'],
};
for (const [name, pair] of Object.entries(VERSIONS)) {
  const page = `${out}/${name}.html`;
  const [before, after] = pair.map((name) => relative(studies, study(name)));
  if (isNewer(page, trendProf, ...pair.map(study))) continue;
  run(trendProf, ['-q', 'report', after, '--before', before, '-o', page]);
}

const wanted = process.argv.slice(2);
const specs = readdirSync(`${here}/e2e`)
  .filter((f) => f.endsWith('.e2e.ts'))
  .filter((f) => wanted.length === 0 || wanted.includes(f.replace('.e2e.ts', '')));
const bundles = `${out}/e2e`;
rmSync(bundles, { recursive: true, force: true });
await build({
  entryPoints: specs.map((f) => `${here}/e2e/${f}`),
  bundle: true,
  inject: [`${here}/globals.ts`],
  platform: 'node',
  format: 'esm',
  external: ['playwright-core', 'axe-core'],
  outdir: bundles,
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
});
const { status } = spawnSync(
  process.execPath,
  [
    '--test',
    '--test-concurrency=1',
    '--test-reporter=spec',
    ...specs.map((f) => `${bundles}/${f.replace(/\.ts$/, '.mjs')}`),
  ],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      FONTS_OF_PICTURES: ownFonts(out),
      PAGES: out,
      STUDIES: studies,
      STUDY_OF_DEMO: study('demo'),
      TREND_PROF: trendProf,
    },
  },
);
process.exit(status ?? 1);
