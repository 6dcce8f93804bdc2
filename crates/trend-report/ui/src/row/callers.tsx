/** Lists the callers of functions: lines with the number of calls, or callers in recorded calling contexts. */

import { extended } from '../data/columns';
import { type Page, functionId } from '../data/page';
import { shown as shownWith } from '../data/predict';
import type { CallingLine, Row } from '../data/types';
import { cost, plural, share } from '../format/number';
import { CellCode } from '../listing/cell-code';
import { functionLink, href, page } from '../state/state';
import { GrowthText, Linked, Name } from '../view/parts';
import { Table, type TableColumn } from '../view/table';

/** A function by its name and file. */
export interface FunctionPlace {
  name: string;
  file: string;
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

export function Callers({ of }: { of: readonly FunctionPlace[] }) {
  const rows = of.flatMap((one) => page.value.find('function', functionId(one))?.row ?? []) as Row[];
  if (rows.some((row) => row.callers)) return <CallingLines rows={rows} />;
  const callers = of.flatMap(({ name }) => callersOf(page.value, name));
  if (callers.length === 0) return null;
  return (
    <>
      <h2 class="on-screen">Callers</h2>
      <Table
        label="callers"
        kind="places"
        rows={callers.slice(0, MOST_CALLERS)}
        columns={[
          ['of its cost', 'number', (c) => share(c.share)],
          ['called from', '', (c) => <Linked to={functionLink(c)} text={c.name} columns={44} />],
          ...placeColumns<Caller>(),
        ]}
      />
      {callers.length > MOST_CALLERS && (
        <p class="note">{plural(callers.length - MOST_CALLERS, 'more caller')}</p>
      )}
    </>
  );
}

type Call = CallingLine & { callee: string };

/** Lists the lines that call functions, with the number of their calls in the most expensive run. */
function CallingLines({ rows }: { rows: Row[] }) {
  const all = rows.flatMap(({ name, callers = [] }) =>
    callers.map((line): Call => extended(line, { callee: name })),
  );
  const lines = all.sort((a, b) => (b.calls ?? -1) - (a.calls ?? -1)).slice(0, MOST_CALLERS);
  const others = all.length - lines.length + rows.reduce((sum, row) => sum + (row.more_callers ?? 0), 0);
  const growth = ({ cluster }: Call) => {
    const row = page.value.find('cluster', cluster ?? '')?.row;
    return row && <GrowthText row={row} outlook={shownWith(row)} />;
  };
  const calls = ({ calls, at_most: atMost }: Call) =>
    calls === undefined ? 'not counted' : `${atMost === true ? '≤ ' : ''}${cost(calls)}`;
  const callee = ['calls of', '', ({ callee }) => <Name text={callee} columns={32} />] as TableColumn<Call>;
  const isMost = lines.some((line) => line.at_most);
  return (
    <>
      <h2 class="on-screen">Callers</h2>
      <Table
        label="callers"
        kind="places"
        rows={lines}
        columns={[
          ['calls', 'number', calls],
          ['growth', '', growth],
          ...(rows.length > 1 ? [callee] : []),
          [
            'called from',
            '',
            ({ function: name, function_file: file }) => (
              <Linked to={functionLink({ name, file })} text={name} columns={44} />
            ),
          ],
          ...placeColumns<Call>(),
        ]}
      />
      <p class="note on-screen">
        calls in the most expensive run
        {isMost && '; ≤: at most this many, the exact number is unknown'}
        {others > 0 && `; ${plural(others, 'more line')}`}
      </p>
    </>
  );
}

/** Returns the columns of a call's line and its code. */
function placeColumns<R extends { file: string; line: number }>(): TableColumn<R>[] {
  return [
    [
      'line',
      '',
      ({ file, line }) =>
        file !== '' && <Linked to={href('source', file, { line })} text={`${file}:${line}`} columns={44} />,
    ],
    ['code', 'source', ({ file, line }) => <CellCode file={file} line={line} />],
  ];
}
