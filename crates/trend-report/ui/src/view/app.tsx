/** The frame around every page: where one can go, the target size, and the page itself. */

import { useEffect, useRef } from 'preact/hooks';

import { plural } from '../format/number';
import { visible } from '../format/text';
import { bandInView } from '../overview/band';
import { PAGES } from '../pages';
import { go, href, route, setParams } from '../state/route';
import { page } from '../state/store';
import { targetText } from '../state/target';
import { theme } from '../state/theme';
import { Help } from './help';
import { find, helpOpen } from './keys';
import { LiveBanner } from './live-banner';
import { Boundary } from './boundary';
import { TargetBox } from './target';
import { isKnown, Unknown } from './unknown';

const THEMES = ['auto', 'light', 'dark'];

export function App() {
  const { view, id } = route.value;
  const shown = PAGES.find((p) => p.view === view);
  const pages = PAGES.filter((p) => p.inBar?.() ?? true);
  const main = useRef<HTMLElement>(null);
  const place = `${view}/${id}`;
  const before = useRef(place);
  useEffect(() => {
    const title = [id && shown?.parent ? visible(id).slice(0, 80) : '', shown?.title ?? 'No such page'];
    const program = visible(page.value.findings.program.name).slice(0, 60);
    document.title = [...title, program, 'trend-prof'].filter((part) => part !== '').join(' · ');
    // Print style sheets choose by it what goes on paper.
    document.documentElement.dataset['view'] = shown?.view ?? '';
    // A new page begins at its top, and a screen reader at its heading; the first one does where the browser does.
    if (before.current !== place) {
      before.current = place;
      scrollTo(0, 0);
      // Unless the page has put the focus where one goes on from.
      const inside = main.current?.querySelector(':focus') ?? null;
      if (!inside) main.current?.focus({ preventScroll: true });
    }
  }, [place, shown, id]);
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => (e.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <header class="bar wrap">
        <a class="program" href={href('overview')}>
          <bdi>{visible(page.value.findings.program.name).slice(0, 60)}</bdi>
        </a>
        <select
          class="pages"
          aria-label="Page"
          value={shown?.parent ?? view}
          onChange={(e) => go(href(e.currentTarget.value))}
        >
          {pages.map((p) => (
            <option key={p.view} value={p.view}>
              {p.title}
            </option>
          ))}
        </select>
        <nav class="wrap" aria-label="Pages">
          {pages.map((p) => (
            <a
              key={p.view}
              href={href(p.view)}
              aria-current={p === shown ? 'page' : p.view === shown?.parent ? 'true' : undefined}
            >
              {p.title}
            </a>
          ))}
        </nav>
        {(view !== 'overview' || !bandInView.value) && (
          <TargetBox inBar id={view === 'overview' ? 'bar-size' : 'target-size'} />
        )}
        <button type="button" class="quiet find" title="find a function, a file or a run" onClick={find}>
          Find <kbd>/</kbd>
        </button>
        <select
          class="theme"
          aria-label="colours"
          value={theme.value ?? 'auto'}
          onChange={(e) =>
            setParams({ theme: e.currentTarget.value === 'auto' ? null : e.currentTarget.value })
          }
        >
          {THEMES.map((t) => (
            <option key={t}>{t}</option>
          ))}
        </select>
        <button
          type="button"
          class="quiet keys"
          aria-label="keys (?)"
          title="keys (?)"
          onClick={() => (helpOpen.value = true)}
        >
          ?
        </button>
      </header>
      <LiveBanner />
      <main id="main" ref={main} tabIndex={-1}>
        <p class="paper-head">
          <span>
            trend-prof · <bdi>{visible(page.value.findings.program.name).slice(0, 60)}</bdi> · {shown?.title}{' '}
            · {plural(page.value.findings.workloads.count, 'run')}
          </span>
          <span>at {targetText()}</span>
        </p>
        <Boundary key={place}>
          {shown && isKnown(view, id) ? <shown.component id={id} /> : <Unknown view={view} id={id} />}
        </Boundary>
      </main>
      <Help />
    </>
  );
}
