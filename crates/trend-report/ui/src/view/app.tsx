/** The frame around every page: where one can go, the target size, and the page itself. */

import { useEffect, useRef } from 'preact/hooks';

import { visible } from '../format/text';
import { PAGES } from '../pages';
import { href, route, setParams } from '../state/route';
import { page } from '../state/store';
import { theme } from '../state/theme';
import { TargetBox } from './target';

const THEMES = ['auto', 'light', 'dark'];

export function App() {
  const { view, id } = route.value;
  const shown = PAGES.find((p) => p.view === view) ?? PAGES[0];
  const main = useRef<HTMLElement>(null);
  const place = `${view}/${id}`;
  const before = useRef(place);
  useEffect(() => {
    document.title = `${shown?.title ?? ''} · ${visible(page.value.findings.program.name)} · trend-prof`;
    // A new page begins at its top, and a screen reader at its heading; the first one does where the browser does.
    if (before.current !== place) {
      before.current = place;
      scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
  }, [place, shown]);
  return (
    <>
      <a class="skip" href="#main" onClick={(e) => (e.preventDefault(), main.current?.focus())}>
        Skip to the content
      </a>
      <header class="bar">
        <a class="program" href={href('overview')}>
          <bdi>{visible(page.value.findings.program.name).slice(0, 60)}</bdi>
        </a>
        <nav aria-label="Pages">
          {PAGES.filter((p) => p.inBar?.() ?? true).map((p) => (
            <a
              key={p.view}
              href={href(p.view)}
              aria-current={p === shown || p.view === shown?.parent ? 'page' : undefined}
            >
              {p.title}
            </a>
          ))}
        </nav>
        <TargetBox />
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
      </header>
      <main id="main" ref={main} tabIndex={-1}>
        {shown && <shown.component key={place} id={id} />}
      </main>
    </>
  );
}
