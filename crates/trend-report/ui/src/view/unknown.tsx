/** The page for a link that leads to nothing in this study. */

import { plural } from '../format/number';
import { href, page } from '../state/state';
import { Name } from './parts';

/** Kinds of addressable things: their noun, the page that lists them, and a test for an id. */
const KINDS: Record<string, [noun: string, all: string, knows: (id: string) => boolean]> = {
  cluster: ['cluster', 'clusters', (id) => page.value.find('cluster', id) !== undefined],
  function: ['function', 'functions', (id) => page.value.find('function', id) !== undefined],
  routines: ['routine', 'routines', (id) => id === ''],
  source: ['file', 'source', (id) => id === '' || files().has(id)],
};

const kindOf = (view: string) => (Object.hasOwn(KINDS, view) ? KINDS[view] : undefined);

function files(): Set<string> {
  const { data, findings } = page.value;
  const known = new Set([...data.constant.files, ...data.sources.map((s) => s.file)]);
  for (const c of findings.clusters) for (const m of c.members) known.add(m.file);
  known.delete('');
  return known;
}

/** Returns true if the page has the linked item. */
export const isKnown = (view: string, id: string) => kindOf(view)?.[2](id) ?? true;

export function Unknown({ view, id }: { view: string; id: string }) {
  const [noun, all] = kindOf(view) ?? ['page', 'overview'];
  const { findings, data } = page.value;
  return (
    <>
      <h1>No such {noun} in this study</h1>
      <p>
        <strong>
          <Name text={id || view} columns={120} />
        </strong>{' '}
        is not in <Name text={data.study} /> ({plural(findings.workloads.count, 'workload')}). The link may be
        from another study, or the code has changed since.
      </p>
      <p>
        <a href={href(all)}>{noun === 'page' ? 'Overview' : `All ${noun}s`}</a>
      </p>
    </>
  );
}
