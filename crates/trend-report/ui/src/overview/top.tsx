/**
 * The table of the five most expensive functions at the target, all others as one row, and the whole. Says if the parts
 * do not add up.
 */

import type { ComponentChildren } from 'preact';

import { shown as shownWith } from '../data/predict';
import type { Cell } from '../files/delimited';
import { cost, costEnds, grouped, predicted, share, significant } from '../format/number';
import { visible } from '../format/text';
import { RowPlot, Share, Who } from '../listing/cells';
import { FeatureChoice } from '../listing/columns';
import { wholeThen } from './answer';
import { gap, isNamed, type Part, parts, sizeNow, sizeThen, smaller, wholeNow } from './views';
import { feature, href, page, param, setParams } from '../state/state';
import { order, parseSort, ranks, writeSort } from '../table/narrow';
import { GrowthText } from '../view/parts';
import { Table, type TableColumn } from '../view/table';

export function Top() {
  const { findings } = page.value;
  const rows = parts.value;
  const functions = rows.filter((row) => row.subject).length;
  if (rows.length === 0) return null;
  const then = sizeThen();
  const thenHead = (
    <>
      at <bdi>{then}</bdi>
    </>
  );
  return (
    <section class="top">
      <div class="head wrap">
        <h2>
          Top {smaller.value === null ? functions : `${functions - 1} and the named one`} at <bdi>{then}</bdi>
          {findings.unit !== 'ps' && `, in ${visible(findings.unit)}`}
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
      <Table
        rows={[...sorted(rows), theWhole()]}
        row={(row) => ({
          class: isWhole(row) ? 'sum whole' : !row.subject ? 'sum' : isNamed(row) ? 'named' : '',
        })}
        columns={[
          sortable('function', 'row', 'function', ({ subject, name, mark, line }) =>
            subject ? (
              <Who
                mark={mark}
                to={href('function', subject.id)}
                name={subject.name}
                note={subject.row.note}
                file={subject.file}
                line={line}
              />
            ) : (
              name
            ),
          ),
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
          sortable('then', 'number then', thenHead, thenText),
          [<span class="hidden">interval</span>, 'interval', ({ then }) => then && costEnds(then.ci)],
          sortable('share', 'share', 'share now → then', (row) =>
            isWhole(row) ? share(1) : <Share row={row} drawn={row.subject !== null} />,
          ),
          ['measured, law', 'plot-cell', (row) => <RowPlot {...row} row={row.subject?.row} />],
        ]}
      />
      {Math.abs(gap.value) > 0.005 && (
        <p class="note">
          The functions' laws add up to {significant(100 * Math.abs(gap.value), 2)} %{' '}
          {gap.value > 0 ? 'more' : 'less'} than the law of the whole program.
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

const thenText = ({ then }: Part) => (then ? predicted(then) : '–');
