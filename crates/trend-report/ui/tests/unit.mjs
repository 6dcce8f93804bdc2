// Bundles every tests/*.test.ts and runs it with node's test runner.
import { build } from 'esbuild';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { spawnSync } from 'node:child_process';

const here = new URL('.', import.meta.url).pathname;
const out = `${here}out/unit`;
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
const tests = readdirSync(here).filter((f) => f.endsWith('.test.ts'));
await build({
  entryPoints: tests.map((f) => here + f),
  bundle: true,
  inject: [`${here}globals.ts`],
  platform: 'node',
  format: 'esm',
  outdir: out,
  outExtension: { '.js': '.mjs' },
  logLevel: 'warning',
});
const files = tests.map((f) => `${out}/${f.replace(/\.ts$/, '.mjs')}`);
const { status } = spawnSync(process.execPath, ['--test', ...files], { stdio: 'inherit' });
process.exit(status ?? 1);
