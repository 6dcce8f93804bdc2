'use strict';
/**
 * Fails a test if the work of a function grows faster than it should. For node's own test runner, Vitest and Jest:
 *
 *     test('sorting', () => grows('<= n log n', (n) => sort(numbers(n))));
 *
 * V8 counts executed blocks while the function runs, and the program trend-prof judges their growth. It must be on the
 * PATH or in the variable TREND_PROF. Files below the working directory are counted, without `node_modules`. Functions that
 * ran before this module was loaded are not counted.
 */
const { spawnSync } = require('node:child_process');
const fs = require('node:fs');
const inspector = require('node:inspector');
const os = require('node:os');
const path = require('node:path');

const [BROKEN, UNDECIDED] = [1, 3];
const FIRST = 16;
const LARGEST = 1 << 20;
const INLINE = /\/\/[#@] sourceMappingURL=data:application\/json[^,]*;base64,([A-Za-z0-9+/=]+)\s*$/;

// V8 counts the blocks of functions that it compiles from here on.
const session = new inspector.Session();
session.connect();
const scripts = new Map();
session.on('Debugger.scriptParsed', ({ params }) => scripts.set(params.scriptId, params));
post('Debugger.enable');
post('Profiler.enable');
post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

/** Calls a method of the inspector. In a session of the same thread, the callback is called at once. */
function post(method, parameters) {
  let result;
  session.post(method, parameters, (error, found) => {
    if (error) throw new Error(`${method}: ${error.message}`);
    result = found;
  });
  return result;
}

async function grows(limit, body, { sizes, budget = 10_000, allowUndecided = false } = {}) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trend-prof-'));
  const files = await measured(body, sizes ?? doubling(), budget, folder);
  const study = path.join(folder, 'growth.trend');
  const pattern = 'n-(?<n>\\d+)';
  called(['import', 'v8-coverage', ...files, '--pattern', pattern, '--study', study, '--root', process.cwd()]);
  const config = path.join(folder, 'trend-prof.toml');
  fs.writeFileSync(config, `[[expect]]\nprogram = true\ngrowth = ${JSON.stringify(limit)}\nfeature = "n"\n`);
  const more = allowUndecided ? ['--allow-undecided'] : [];
  const { status, said } = called(['check', study, '--config', config, ...more], [0, BROKEN, UNDECIDED]);
  if (status === 0) {
    fs.rmSync(folder, { recursive: true });
    return said;
  }
  const what = status === BROKEN ? 'it does not grow as' : 'it is undecided whether it grows as';
  const shown = called(['show', study, '--top', '1', '--color', 'never']).said;
  throw new Error(`${what} ${limit}:\n${said}\n\n${shown}\n\n\`trend-prof show ${study}\` says more`);
}

function* doubling() {
  for (let n = FIRST; n <= LARGEST; n *= 2) yield n;
}

/** Runs the function at each size while there is time, and returns the files with the counts. */
async function measured(body, sizes, budget, folder) {
  const files = [];
  const begin = performance.now();
  for (const n of sizes) {
    post('Profiler.takePreciseCoverage');
    const started = performance.now();
    await body(n);
    const now = performance.now();
    const { result } = post('Profiler.takePreciseCoverage');
    files.push(written(path.join(folder, `n-${n}`), result));
    // The next size may take four times as long.
    if (now - begin + 4 * (now - started) > budget) break;
  }
  return files;
}

/** Writes counts as node does, with the source maps of scripts that were transformed. */
function written(file, result) {
  const own = result.filter(({ url }) => url.startsWith('file://') || url.startsWith('/'));
  const cache = {};
  for (const script of own) {
    if (script.url.startsWith('/')) script.url = `file://${script.url}`;
    const { length, sourceMapURL } = scripts.get(script.scriptId) ?? {};
    // Code outside of functions ran before, so V8 leaves it out.
    if (script.functions[0]?.ranges[0].endOffset !== length) {
      const ranges = [{ startOffset: 0, endOffset: length, count: 0 }];
      script.functions.unshift({ functionName: '', ranges, isBlockCoverage: true });
    }
    if (!sourceMapURL) continue;
    const { scriptSource } = post('Debugger.getScriptSource', { scriptId: script.scriptId });
    const map = INLINE.exec(scriptSource);
    if (!map) continue;
    const data = JSON.parse(Buffer.from(map[1], 'base64').toString());
    cache[script.url] = { lineLengths: scriptSource.split('\n').map((line) => line.length), data };
  }
  fs.writeFileSync(file, JSON.stringify({ result: own, 'source-map-cache': cache }));
  return file;
}

function called(words, codes = [0]) {
  const program = process.env.TREND_PROF ?? 'trend-prof';
  const { status, stdout, stderr, error } = spawnSync(program, words, { encoding: 'utf8' });
  if (error) throw new Error(`${program}: ${error.message}; put it on the PATH or into TREND_PROF`);
  const said = `${stdout}${stderr}`.trim();
  if (!codes.includes(status)) throw new Error(`trend-prof ${words[0]}: ${said}`);
  return { status, said };
}

exports.grows = grows;
