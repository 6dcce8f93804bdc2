/** Lists the places of a row in the code, the user's own and the most expensive first, and their callers. */

import { extended } from '../data/columns';
import type { Page, Subject } from '../data/page';
import type { Member } from '../data/types';
import * as number from '../format/number';
import { cost, grouped, plural, share } from '../format/number';
import { CellCode } from '../listing/cell-code';
import { loopsOf, tripsText } from '../source/loops';
import { functionLink, href, page } from '../state/state';
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

export function Places({ members, functions }: { members: Member[]; functions: string[] }) {
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
      <Callers of={functions} />
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

interface Caller {
  name: string;
  /** File of the calling function; empty if it is unknown. */
  file: string;
  line: number;
  /** Share of the cost of all calls. */
  share: number;
}

/**
 * Returns the callers of a function, by falling share of its cost; empty if no calling contexts were recorded. Skips
 * callers whose code the page does not have, such as a library's, and takes their callers.
 */
export function callersOf({ data, findings, sourceIndex }: Page, name: string): Caller[] {
  const [tree] = data.call_trees;
  const at = (node: number) => tree?.nodes[node];
  const seriesOf = (node: number) => at(node)?.series ?? -1;
  const nameOf = (node: number) => findings.series[seriesOf(node)]?.name ?? at(node)?.name ?? '';
  const isOwn = (node: number) => sourceIndex.has(findings.series[seriesOf(node)]?.file ?? '');
  const callerOf = (node: number) => {
    let own = at(node)?.caller;
    while (own !== undefined && (!isOwn(own) || nameOf(own) === name)) own = at(own)?.caller;
    return own ?? at(node)?.caller;
  };
  const callers = new Map<string, Caller>();
  let whole = 0;
  tree?.nodes.forEach((_, node) => {
    const row = findings.series[seriesOf(node)];
    const by = row?.name === name ? callerOf(node) : undefined;
    const from = by === undefined ? '' : nameOf(by);
    if (!row || by === undefined || from === '' || from === name) return;
    const { file = '', line = 0 } = findings.series[seriesOf(by)] ?? {};
    const cost = row.outermost_sum ?? row.sum;
    const known = callers.get(from) ?? { name: from, file, line, share: 0 };
    callers.set(from, { ...known, share: known.share + cost });
    whole += cost;
  });
  const shares = [...callers.values()].map((caller) => ({ ...caller, share: caller.share / (whole || 1) }));
  return shares.sort((a, b) => b.share - a.share);
}

const MOST_CALLERS = 5;

export function Callers({ of }: { of: readonly string[] }) {
  const callers = of.flatMap((name) => callersOf(page.value, name));
  if (callers.length === 0) return null;
  const linked = (to: string | null, text: string) => <Linked to={to} text={text} columns={44} />;
  return (
    <>
      <Table
        label="callers"
        kind="places"
        rows={callers.slice(0, MOST_CALLERS)}
        columns={[
          ['of its cost', 'number', (c) => share(c.share)],
          ['called from', '', (c) => linked(functionLink(c), c.name)],
          [
            'line',
            '',
            ({ file, line }) => file !== '' && linked(href('source', file, { line }), `${file}:${line}`),
          ],
          ['code', 'source', ({ file, line }) => <CellCode file={file} line={line} />],
        ]}
      />
      {callers.length > MOST_CALLERS && (
        <p class="note">{plural(callers.length - MOST_CALLERS, 'more caller')}</p>
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
            {overtakes ? 'Will cost more than ' : 'Will cost less than '}
            <Linked
              to={href('cluster', other, { feature })}
              text={page.value.find('cluster', other)?.title ?? other}
            />{' '}
            from <Name text={feature} columns={24} /> = {number.size(Number(at.toPrecision(2)))} on.
          </li>
        ))}
      </ul>
    </Section>
  );
}
