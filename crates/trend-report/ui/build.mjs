// Builds dist/app.js and dist/app.css, which the crate includes. The same sources give the same bytes: CI rebuilds both
// files and fails if they differ from the committed ones.
import { build } from 'esbuild';

const options = {
  bundle: true,
  minify: true,
  legalComments: 'none',
  charset: 'utf8',
  target: ['es2022', 'chrome114', 'firefox113', 'safari16.4'],
  logLevel: 'warning',
};

await build({
  ...options,
  entryPoints: ['src/main.tsx'],
  outfile: 'dist/app.js',
  format: 'esm',
  jsx: 'automatic',
  jsxImportSource: 'preact',
});
await build({ ...options, entryPoints: ['src/style/app.css'], outfile: 'dist/app.css' });
