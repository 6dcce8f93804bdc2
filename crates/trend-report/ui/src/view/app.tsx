/** The frame around every page: navigation, the target size, and the page itself. */

import { Component, type ComponentChildren, type FunctionComponent } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

import { live } from '../data/live';
import { plural } from '../format/number';
import { visible } from '../format/text';
import { bandInView } from '../overview/band';
import { Compare } from '../pages/compare';
import { Method } from '../pages/method';
import { Overview } from '../pages/overview';
import { Routines } from '../pages/routines';
import { Cluster, FunctionPage } from '../pages/row';
import { Clusters, Functions } from '../pages/rows';
import { Runs } from '../pages/runs';
import { Source } from '../pages/source';
import { go, href, page, route, setParams, targetText, theme } from '../state/state';
import { Select } from './choice';
import { find, Help, helpOpen } from './keys';
import { TargetBox } from './target';
import { isKnown, Unknown } from './unknown';

const THEMES = ['', 'light', 'dark'];

export function App() {
  const { view, id } = route.value;
  const shown = PAGES.find((p) => p.view === view);
  const pages = PAGES.filter((p) => p.inBar?.() ?? p.parent === undefined);
  const main = useRef<HTMLElement>(null);
  const place = `${view}/${id}`;
  const before = useRef(place);
  useEffect(() => {
    const title = [id && shown?.parent ? visible(id).slice(0, 80) : '', shown?.title ?? 'No such page'];
    const program = visible(page.value.findings.program.name).slice(0, 60);
    document.title = [...title, program, 'trend-prof'].filter((part) => part !== '').join(' · ');
    // Print style sheets use this attribute to select the content for paper.
    document.documentElement.dataset['view'] = shown?.view ?? '';
    // A new page starts at its top, and a screen reader at its start. The first page starts where the browser does.
    if (before.current !== place) {
      before.current = place;
      scrollTo(0, 0);
      // Leaves the focus alone if the page has already placed it.
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
        <Select
          kind="pages"
          label="Page"
          of={pages.map((p) => ({ key: p.view, text: p.title }))}
          chosen={shown?.parent ?? view}
          choose={(to) => go(href(to))}
        />
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
        <Select
          kind="theme"
          label="colours"
          of={THEMES.map((key) => ({ key, text: key || 'auto' }))}
          chosen={theme.value ?? ''}
          choose={(theme) => setParams({ theme })}
        />
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

class Boundary extends Component<{ children: ComponentChildren }, { error: unknown }> {
  override state = { error: null };

  override componentDidCatch(error: unknown): void {
    console.error(error);
    this.setState({ error });
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <>
        <h1>This page could not be drawn</h1>
        <p class="failure">
          {String(error)}. The other pages are not affected; the numbers are in{' '}
          <code>trend-prof show --format json</code>.
        </p>
      </>
    );
  }
}

function LiveBanner() {
  const said = live.value;
  return (
    <div class={said?.trouble ? 'live trouble' : 'live'} role="status">
      {said && (
        <>
          <span>{visible(said.text)}</span>
          <button type="button" aria-label="hide this message" onClick={() => (live.value = null)}>
            ✕
          </button>
        </>
      )}
    </div>
  );
}

interface PageEntry {
  /** First word of the address. */
  view: string;
  title: string;
  component: FunctionComponent<{ id: string }>;
  /** True if the bar lists the page; by default it lists pages without a parent. */
  inBar?: () => boolean;
  /** The entry of the bar that is marked while this page is shown. */
  parent?: string;
}

/** Returns true if there are files to list. Lines have costs even if the page does not carry their text. */
const hasFiles = () =>
  page.value.data.sources.length > 0 ||
  page.value.findings.clusters.some((c) => c.members.some((m) => m.file !== ''));

const isCompared = () => page.value.data.compare !== undefined;

const PAGES: PageEntry[] = [
  { view: 'overview', title: 'Overview', component: Overview },
  { view: 'functions', title: 'Functions', component: Functions },
  { view: 'function', title: 'Function', component: FunctionPage, parent: 'functions' },
  { view: 'clusters', title: 'Clusters', component: Clusters, parent: 'functions' },
  { view: 'cluster', title: 'Cluster', component: Cluster, parent: 'functions' },
  {
    view: 'routines',
    get title() {
      return page.value.seriesTitle || 'Routines';
    },
    component: Routines,
    inBar: () => page.value.findings.series.length > 0,
  },
  { view: 'source', title: 'Source', component: Source, inBar: hasFiles },
  { view: 'compare', title: 'Compare', component: Compare, inBar: isCompared },
  { view: 'workloads', title: 'Runs', component: Runs },
  { view: 'method', title: 'Method', component: Method },
];
