/**
 * The table of the five most expensive functions at the target, all others as one row, and the whole: the parts add up.
 */

import type { ComponentChildren } from 'preact';

import { groundOf, shown as shownWith } from '../data/predict';
import type { Cell } from '../files/delimited';
import { cost, costInterval, grouped, share, significant, size } from '../format/number';
import { visible } from '../format/text';
import { CellCode } from '../listing/cell-code';
import { FeatureChoice } from '../listing/columns';
import { wholeThen } from './answer';
import { gap, isNamed, type Part, parts, wholeNow } from './views';
import { colourOf, Mark, Mini } from '../plot/series';
import { feature, givenText, href, moved, page, param, setParams } from '../state/state';
import { shown } from '../table/column';
import { order, parseSort, ranks, writeSort } from '../table/narrow';
import { GrowthText, Linked, predictedCost } from '../view/parts';
import { BareTable, type TableColumn } from '../view/table';

export function Top() {
  const { findings } = page.value;
  const rows = parts.value;
  const functions = rows.filter((row) => row.subject).length;
  if (rows.length === 0) return null;
  const whole = wholeThen.value?.cost ?? NaN;
  const then = page.value.findings.features.length === 1 ? size(moved.value?.at ?? NaN) : givenText();
  return (
    <section class="top">
      <div class="head wrap">
        <h2>
          Top {functions} at <bdi>{then}</bdi>
        </h2>
        <div class="tools wrap">
          <FeatureChoice />
          <a href={href('functions')}>
            {findings.functions.length === 1
              ? 'The function'
              : `All ${grouped(findings.functions.length)} functions`}
          </a>
        </div>
      </div>
      <BareTable
        rows={[...sorted(rows), theWhole()]}
        row={(row) => ({
          class: isWhole(row) ? 'sum whole' : !row.subject ? 'sum' : isNamed(row) ? 'named' : '',
        })}
        columns={[
          sortable('function', 'row', 'function', (row) => <Who row={row} />),
          sortable(
            'growth',
            'growth-cell',
            <>growth{feature.value !== null && <> in {visible(feature.value).slice(0, 24)}</>}</>,
            ({ subject, outlook, mark }) =>
              mark !== 0 && <GrowthText row={subject?.row ?? findings.total} outlook={outlook} />,
          ),
          sortable('now', 'number now', sizeNow(), (row) => (
            <span data-then={thenText(row)}>{cost(row.now)}</span>
          )),
          sortable(
            'then',
            'number then',
            <>
              at <bdi>{then}</bdi>
            </>,
            thenText,
          ),
          [
            <span class="hidden">interval</span>,
            'interval',
            ({ then, decided }) => then?.ci && !decided && `(${costInterval(then.ci)})`,
          ],
          sortable('share', 'share', 'share now → then', (row) => <Share row={row} whole={whole} />),
          ['measured, law', 'plot-cell', (row) => <Small row={row} />],
        ]}
      />
      {Math.abs(gap.value) > 0.005 && (
        <p class="note">
          The functions' laws add up to {significant(100 * Math.abs(gap.value), 2)} %{' '}
          {gap.value > 0 ? 'more' : 'less'} than the law of the whole.
        </p>
      )}
    </section>
  );
}

/** The sort order of the rows, as the address has it. */
const sortParam = param('top');
const USUAL = '-then';
const VALUES: Record<string, (row: Part) => Cell> = {
  function: (row) => row.name,
  growth: (row) => row.outlook?.model.order ?? null,
  now: (row) => row.now,
  then: (row) => row.then?.cost ?? null,
  share: (row) => row.shareThen,
};

const sortNow = () => {
  const sort = parseSort(sortParam.value ?? USUAL);
  return Object.hasOwn(VALUES, sort.key) ? sort : parseSort(USUAL);
};

/** Sorts the functions; the remainder stays below them. */
function sorted(rows: readonly Part[]): Part[] {
  const [named, rest] = [rows.filter((row) => row.subject), rows.filter((row) => !row.subject)];
  const { key, descending } = sortNow();
  const value = VALUES[key];
  if (!value) return [...rows];
  return [...order(ranks(named.map(value)), descending).flatMap((i) => named[i] ?? []), ...rest];
}

/** Returns a column that a click on its heading sorts by. */
function sortable(
  key: string,
  kind: string,
  head: ComponentChildren,
  cell: (row: Part) => ComponentChildren,
): TableColumn<Part> {
  const sort = sortNow();
  const isSorted = sort.key === key;
  const change = () => {
    const text = writeSort({ key, descending: isSorted ? !sort.descending : key !== 'function' });
    setParams({ top: text === USUAL ? null : text }, 'push');
  };
  const button = (
    <button type="button" onClick={change}>
      {head} <span aria-hidden="true">{isSorted ? (sort.descending ? '▾' : '▴') : ''}</span>
    </button>
  );
  return [button, kind, cell, isSorted ? (sort.descending ? 'descending' : 'ascending') : undefined];
}

/** Returns the row of the whole program, which stands below its parts. */
function theWhole(): Part {
  const { total } = page.value.findings;
  const [then, outlook] = [wholeThen.value, shownWith(total)];
  return {
    ...{ subject: null, name: 'whole program', line: 0, mark: -1, outlook, now: wholeNow(), then },
    ...{ shareNow: 1, shareThen: 1, decided: false, at: () => then, costs: undefined },
  };
}

const isWhole = ({ mark }: Part) => mark < 0;

const thenText = ({ then }: Part) => (then ? predictedCost(then) : '–');

/** Writes `at 51.0 M`: the size of the largest run. */
function sizeNow(): string {
  const { total, answer } = page.value.findings;
  const costs = total.costs ?? [];
  const run = answer?.run_now ?? costs.indexOf(Math.max(...costs));
  const at = page.value.featureValues(moved.value?.feature ?? '')[run] ?? null;
  return at === null ? 'most expensive run' : `at ${size(at)}`;
}

function Who({ row: { subject, name, mark, line } }: { row: Part }) {
  if (!subject) return <>{name}</>;
  const { id, file } = subject;
  return (
    <span class="who">
      <Mark mark={mark} />
      <span>
        <Linked to={href('function', id)} text={name} columns={34} />
        <span class="place">
          {file !== '' && `${visible(file.split('/').at(-1) ?? '')}:${line} `}
          <CellCode file={file} line={line} />
        </span>
      </span>
    </span>
  );
}

function Share({ row, whole }: { row: Part; whole: number }) {
  if (isWhole(row)) return <>{share(1)}</>;
  return (
    <>
      {row.subject && <ShareBar row={row} whole={whole} />}
      <span class="nowrap">
        {share(row.shareNow)} → <b>{shown(row.shareThen, share)}</b>
      </span>
    </>
  );
}

/** The largest share that a bar can show. */
const MOST_SHARE = 0.6;

/** Draws ○ now and ● then on a scale to 60 %. For undecided growth, a pale bar behind them shows the interval. */
function ShareBar({ row, whole }: { row: Part; whole: number }) {
  const at = (part: number) => 4 + (142 * Math.min(part, MOST_SHARE)) / MOST_SHARE;
  const [now, then] = [at(row.shareNow), at(row.shareThen ?? row.shareNow)];
  const rest = Math.max(whole - (row.then?.cost ?? 0), 0);
  const [lo, hi] = (row.then?.ci ?? [0, 0]).map((cost) => at(cost / (cost + rest)));
  return (
    <svg class="share-bar" style={colourOf(row.mark)} viewBox="0 0 150 22" aria-hidden="true">
      <path class="rule" d="M4 11H146" />
      {!row.decided && row.then?.ci && (
        <rect class="between" x={lo} y={7} width={(hi ?? 0) - (lo ?? 0)} height={8} />
      )}
      <path class="line own" d={`M${now} 11H${then}`} />
      <circle class="hollow" cx={now} cy={11} r={3.5} />
      <circle class="filled" cx={then} cy={11} r={4.2} />
    </svg>
  );
}

function Small({ row: { subject, mark, outlook, costs } }: { row: Part }) {
  if (!costs || !subject || !outlook) return null;
  const { x, law } = groundOf(subject.row, outlook);
  return (
    <span style={colourOf(mark)}>
      <Mini x={x} y={costs} law={law} />
    </span>
  );
}
