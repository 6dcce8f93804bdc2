/** The places of a row in the code, the user's own and the costliest first, and who calls them. */

import { functionId, type Page } from '../data/page';
import type { Member } from '../data/types';
import { cost, grouped, plural, share } from '../format/number';
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
  if (all.length === 0) return null;
  return (
    <Section
      title={all.length === 1 ? 'Its place in the code' : `Its ${plural(all.length, 'place')} in the code`}
    >
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

interface Caller {
  name: string;
  /** Of the function; empty where that is not known. */
  file: string;
  line: number;
  /** Of what all calls cost. */
  share: number;
}

/**
 * Who calls a function, by falling share of its cost; none where calling contexts were not recorded. Whose code the page has
 * not, as of a library, is passed over for who calls that.
 */
export function callersOf({ data, findings, sourceIndex }: Page, name: string): Caller[] {
  const [tree] = data.call_trees;
  const at = (node: number) => tree?.nodes[node];
  const seriesOf = (node: number) => at(node)?.series ?? -1;
  const nameOf = (node: number) => findings.series?.[seriesOf(node)]?.name ?? at(node)?.name ?? '';
  const isOwn = (node: number) => sourceIndex.has(data.series[seriesOf(node)]?.file ?? '');
  const callerOf = (node: number) => {
    let own = at(node)?.caller;
    while (own !== undefined && (!isOwn(own) || nameOf(own) === name)) own = at(own)?.caller;
    return own ?? at(node)?.caller;
  };
  const callers = new Map<string, Caller>();
  let whole = 0;
  tree?.nodes.forEach((_, node) => {
    const row = findings.series?.[seriesOf(node)];
    const by = row?.name === name ? callerOf(node) : undefined;
    const from = by === undefined ? '' : nameOf(by);
    if (!row || by === undefined || from === '' || from === name) return;
    const { file = '', line = 0 } = data.series[seriesOf(by)] ?? {};
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
  return (
    <>
      <Table
        label="callers"
        kind="places"
        heads={['of its cost', 'called from', 'line', 'code']}
        numeric={[0]}
      >
        {callers.slice(0, MOST_CALLERS).map(({ name, file, line, share: part }) => {
          const id = functionId({ name, file });
          const text = <Name text={name} columns={44} />;
          return (
            <tr key={id}>
              <td class="number">{share(part)}</td>
              <td>{page.value.functionIndex.has(id) ? <a href={href('function', id)}>{text}</a> : text}</td>
              <td>
                {file !== '' && (
                  <a href={href('source', file, { line })}>
                    <Name text={`${file}:${line}`} columns={44} />
                  </a>
                )}
              </td>
              <td class="source">
                <CellCode file={file} line={line} />
              </td>
            </tr>
          );
        })}
      </Table>
      {callers.length > MOST_CALLERS && (
        <p class="note">{plural(callers.length - MOST_CALLERS, 'more caller')}</p>
      )}
    </>
  );
}
