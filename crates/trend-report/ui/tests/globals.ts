/** Browser globals that the app's address handling needs, and the module. */

import { readFileSync } from 'node:fs';

import { startModule } from '../src/data/module';

Object.assign(globalThis, {
  location: { hash: '' },
  history: { pushState: () => undefined, replaceState: () => undefined },
  addEventListener: () => undefined,
});
startModule(readFileSync('dist/module.wasm'));
