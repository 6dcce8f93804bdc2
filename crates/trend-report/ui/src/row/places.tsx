/**
 * Lists the places of a row in the code, the user's own and the most expensive first, and the callers of a function.
 */

import { extended } from '../data/columns';
import type { Page, Subject } from '../data/page';
import type { Member } from '../data/types';
import * as number from '../format/number';
import { cost, grouped, plural } from '../format/number';
import { CellCode } from '../listing/cell-code';
import { Callers, type FunctionPlace } from './callers';
import { loopsOf, tripsText } from '../source/loops';
import { href, page } from '../state/state';
import { Linked, Name, Section } from '../view/parts';
import { Table, type TableColumn } from '../view/table';

/** Returns the members of a cluster, or all members in a function, each once. Time: O(members). */
export function membersOf({ findings }: Page, { name, file, row }: Subject): Member[] {
  if ('members' in row) return row.members;
  const found = new Map<string, Member>();
  for (const { members } of findings.clusters) {
    for (const m of members) if (m.function === name && m.file === file) found.set(m.name, m);
  }
  return [...found.values()];
}

const SHOWN = 12;
/** Maximum number of places listed; the source page shows the rest. */
const MOST = 500;

interface PlacesProps {
  members: Member[];
  /** The function of the row; absent for a cluster. */
  called: FunctionPlace | undefined;
}

export function Places({ members, called }: PlacesProps) {
  const all = [...members].sort((a, b) => Number(b.own) - Number(a.own) || b.max_cost - a.max_cost);
  const rest = all.slice(SHOWN, MOST);
  if (all.length === 0) return null;
  return (
    <Section title={plural(all.length, 'code location')}>
      <List members={all.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>
            {grouped(all.length - SHOWN)} more
            {all.length > MOST && `, the first ${rest.length} of them here`}
          </summary>
          <List members={rest} />
        </details>
      )}
      {called && <Callers of={[called]} />}
    </Section>
  );
}

function List({ members }: { members: Member[] }) {
  const { findings } = page.value;
  const trips = ({ file, line }: Member) =>
    loopsOf(findings, file)
      .filter((loop) => loop.line === line)
      .map(tripsText)
      .join(' · ');
  const hasLoops = (findings.loops ?? []).length > 0;
  return (
    <Table
      label="places"
      kind="places"
      rows={members}
      columns={[
        ['executions', 'number', (m) => cost(m.max_cost)],
        ...(hasLoops ? [['loop', '', trips] as TableColumn<Member>] : []),
        ['line', '', (m) => <Line member={m} />],
        ['function', '', (m) => <Name text={m.function} columns={32} />],
        ['code', 'source', (m) => <CellCode file={m.file} line={m.line} />],
      ]}
    />
  );
}

function Line({ member: { name, file, line, unstable } }: { member: Member }) {
  return (
    <>
      <Linked to={href('source', file, { line: line > 0 ? line : null })} text={name} columns={44} />
      {unstable === true && (
        <span class="flag doubt" title="repeated runs of one workload gave different counts">
          unstable
        </span>
      )}
    </>
  );
}

/** Returns the clusters that overtake the shown one or are overtaken by it. */
function crossings({ findings }: Page, id: string) {
  return findings.clusters.flatMap(({ representative: { name }, overtakes }) =>
    overtakes
      .filter((o) => (name === id) !== (o.cluster === id))
      .map((o) => extended(o, { other: name === id ? o.cluster : name, overtakes: name === id })),
  );
}

export function Crossings({ id }: { id: string }) {
  const found = crossings(page.value, id);
  if (found.length === 0) return null;
  return (
    <Section title="Overtaking">
      <ul class="overtaking">
        {found.map(({ other, overtakes, feature, at }, i) => (
          <li key={i}>
            {overtakes ? 'Will overtake ' : 'Will be overtaken by '}
            <Linked
              to={href('cluster', other, { feature })}
              text={page.value.find('cluster', other)?.fullTitle ?? other}
            />{' '}
            at <Name text={feature} columns={24} /> ≈ {number.featureSize(feature, Number(at.toPrecision(2)))}
            .
          </li>
        ))}
      </ul>
    </Section>
  );
}
