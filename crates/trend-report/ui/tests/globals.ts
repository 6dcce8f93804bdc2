/** What the app's address needs of a browser. */

Object.assign(globalThis, {
  location: { hash: '' },
  history: { pushState: () => undefined, replaceState: () => undefined },
  addEventListener: () => undefined,
});
