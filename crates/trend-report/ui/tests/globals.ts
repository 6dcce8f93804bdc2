/** Browser globals that the app's address handling needs. */

Object.assign(globalThis, {
  location: { hash: '' },
  history: { pushState: () => undefined, replaceState: () => undefined },
  addEventListener: () => undefined,
});
