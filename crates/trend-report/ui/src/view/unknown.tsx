/** What a link says that leads to nothing in this study. */

import { plural } from '../format/number';
import { href } from '../state/route';
import { page } from '../state/store';
import { Name } from './parts';

/** What the address can name, and the page of all of them. */
const KINDS: Record<string, { noun: string; all: string; knows: (id: string) => boolean }> = {
  cluster: { noun: 'cluster', all: 'clusters', knows: (id) => page.value.clusterIndex.has(id) },
  function: { noun: 'function', all: 'functions', knows: (id) => page.value.functionIndex.has(id) },
  routines: { noun: 'routine', all: 'routines', knows: (id) => id === '' },
  source: { noun: 'file', all: 'source', knows: (id) => id === '' || files().has(id) },
};

function files(): Set<string> {
  const { data, findings } = page.value;
  const known = new Set([...data.constant.files, ...data.sources.map((s) => s.file)]);
  for (const c of findings.clusters) for (const m of c.members) known.add(m.file);
  known.delete('');
  return known;
}

/** Whether the page has what is asked for. */
export function isKnown(view: string, id: string): boolean {
  const kind = Object.hasOwn(KINDS, view) ? KINDS[view] : undefined;
  return kind?.knows(id) ?? true;
}

export function Unknown({ view, id }: { view: string; id: string }) {
  const kind = Object.hasOwn(KINDS, view) ? KINDS[view] : undefined;
  const { findings, data } = page.value;
  if (!kind) {
    return (
      <>
        <h1>No such page</h1>
        <p>
          The address names a page “<Name text={view} />” that there is none of.{' '}
          <a href={href('overview')}>Overview</a>
        </p>
      </>
    );
  }
  return (
    <>
      <h1>No such {kind.noun} in this study</h1>
      <p>
        <strong>
          <Name text={id} columns={120} />
        </strong>{' '}
        is not among those of <Name text={data.study} /> ({plural(findings.workloads.count, 'workload')}). The
        link may be of another study, or the code has changed since.
      </p>
      <p>
        <a href={href(kind.all)}>All {kind.noun}s</a>
      </p>
    </>
  );
}
