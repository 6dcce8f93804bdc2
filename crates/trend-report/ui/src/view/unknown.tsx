/** What a link says that leads to nothing in this study. */

import { plural } from '../format/number';
import { href } from '../state/route';
import { page } from '../state/store';
import { Name } from './parts';

interface Kind {
  noun: string;
  knows: (id: string) => boolean;
  /** The page of all of them. */
  all: string;
}

const KINDS: Record<string, Kind> = {
  cluster: {
    noun: 'cluster',
    knows: (id) => page.value.clusterIndex.has(id),
    all: 'clusters',
  },
  function: {
    noun: 'function',
    knows: (id) => page.value.functionIndex.has(id),
    all: 'functions',
  },
  routines: {
    noun: 'routine',
    knows: (id) => id === '',
    all: 'routines',
  },
  source: {
    noun: 'file',
    knows: (id) => id === '' || files().has(id),
    all: 'source',
  },
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
