/** The places of a row in the code, the user's own and the costliest first, and who calls them. */

import type { Page } from '../data/page';
import type { Member } from '../data/types';
import { cost, plural, share } from '../format/number';
import { CellCode } from '../listing/cell-code';
import { loopsOf, tripsText } from '../source/loops';
import { href } from '../state/route';
import { page } from '../state/store';
import { Name, Section } from '../view/parts';
import { Table } from '../view/table';

/** All members of clusters that are in a function, each once. Time: O(members). */
export function membersOf({ findings }: Page, name: string, file: string): Member[] {
  const found = new Map<string, Member>();
  for (const { members } of findings.clusters) {
    for (const m of members) if (m.function === name && m.file === file) found.set(m.name, m);
  }
  return [...found.values()];
}

const SHOWN = 12;
/** More are for the source page. */
const MOST = 500;

export function Places({ members, functions }: { members: Member[]; functions: string[] }) {
  const all = [...members].sort((a, b) => Number(b.own) - Number(a.own) || b.max_cost - a.max_cost);
  const rest = all.slice(SHOWN, MOST);
  const callers = functions.flatMap((name) => callersOf(page.value, name));
  if (all.length === 0) return null;
  return (
    <Section
      title={all.length === 1 ? 'Its place in the code' : `Its ${plural(all.length, 'place')} in the code`}
    >
      <List members={all.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>
            {(all.length - SHOWN).toLocaleString('en-US')} more
            {all.length > MOST && `, the first ${rest.length} of them here`}
          </summary>
          <List members={rest} />
        </details>
      )}
      {callers.length > 0 && <Callers callers={callers} />}
    </Section>
  );
}

function List({ members }: { members: Member[] }) {
  const loops = page.value.findings.loops ?? [];
  const heads = ['executions', ...(loops.length > 0 ? ['loop'] : []), 'line', 'function', 'code'];
  return (
    <Table label="places" kind="places" heads={heads} numeric={[0]}>
      {members.map((m) => (
        <tr key={m.name}>
          <td class="number">{cost(m.max_cost)}</td>
          {loops.length > 0 && (
            <td>
              {loopsOf(page.value.findings, m.file)
                .filter((loop) => loop.line === m.line)
                .map(tripsText)
                .join(' · ')}
            </td>
          )}
          <td>
            <a href={href('source', m.file, { line: m.line > 0 ? m.line : null })}>
              <Name text={m.name} columns={44} />
            </a>
            {m.unstable === true && (
              <span class="flag doubt" title="repeated runs of one workload gave different counts">
                unstable
              </span>
            )}
          </td>
          <td>
            <Name text={m.function} columns={32} />
          </td>
          <td class="source">
            <CellCode file={m.file} line={m.line} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

export interface Caller {
  name: string;
  /** Of what all calls cost. */
  share: number;
}

/** Who calls a function, by falling share of its cost; none where calling contexts were not recorded. */
export function callersOf({ data, findings }: Page, name: string): Caller[] {
  const [tree] = data.call_trees;
  const rowOf = (node: number) => findings.series?.[tree?.nodes[node]?.series ?? -1];
  const costs = new Map<string, number>();
  tree?.nodes.forEach(({ caller }, i) => {
    const row = rowOf(i);
    if (row?.name !== name || caller === undefined) return;
    const from = rowOf(caller)?.name ?? tree.nodes[caller]?.name ?? '';
    if (from !== name && from !== '')
      costs.set(from, (costs.get(from) ?? 0) + (row.outermost_sum ?? row.sum));
  });
  const whole = [...costs.values()].reduce((sum, cost) => sum + cost, 0);
  const callers = [...costs].map(([name, cost]) => ({ name, share: whole > 0 ? cost / whole : 0 }));
  return callers.sort((a, b) => b.share - a.share);
}

const MOST_CALLERS = 5;

/** `Called from parse_block: 98 % of its cost; parse_factor: 2 %.` */
export function Callers({ callers }: { callers: Caller[] }) {
  return (
    <p class="callers">
      Called from{' '}
      {callers.slice(0, MOST_CALLERS).map(({ name, share: part }, i) => {
        const row = page.value.findings.functions.find((f) => f.name === name);
        const text = <Name text={name} columns={48} />;
        return (
          <span key={name}>
            {i > 0 && '; '}
            {row ? <a href={href('source', row.file, { line: row.line })}>{text}</a> : text}: {share(part)}
            {i === 0 && ' of its cost'}
          </span>
        );
      })}
      {callers.length > MOST_CALLERS && `; and ${callers.length - MOST_CALLERS} more`}.
    </p>
  );
}
