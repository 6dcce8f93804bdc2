/** Starts the app over the static part. If the start fails, the static part stays and shows the error. */

import { render } from 'preact';

import { followTarget } from './data/exact';
import { followStudy } from './data/live';
import { loadData, loadModule } from './data/load';
import { startModule } from './data/module';
import { Page } from './data/page';
import { sendRowsWhenIdle } from './data/predict';
import { followTheme, page } from './state/state';
import { App } from './view/app';
import { followKeys } from './view/keys';

function start(): void {
  const root = document.getElementById('app');
  if (!root) return;
  startModule(loadModule());
  page.value = new Page(loadData());
  followTheme();
  followKeys();
  render(<App />, root);
  root.hidden = false;
  document.documentElement.classList.add('app');
  performance.mark('trend-prof-ready');
  followStudy();
  followTarget();
  sendRowsWhenIdle();
}

try {
  start();
} catch (error: unknown) {
  const note = document.createElement('p');
  note.className = 'failure';
  note.textContent = `The interactive page could not start (${String(error)}); this is its static part.`;
  document.getElementById('static')?.prepend(note);
}
