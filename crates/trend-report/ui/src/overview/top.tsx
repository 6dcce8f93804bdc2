/** The five costliest functions at the target, all others, and the whole: parts that add up. */

import type { ComponentChildren } from 'preact';

import { growthOrder } from '../data/growth-class';
import { lawOf } from '../data/line';
import { modelShown, shown } from '../data/predict';
import { cost, costInterval, grouped, share, significant, size } from '../format/number';
import { visible } from '../format/text';
import { CellCode } from '../listing/cell-code';
import { FeatureChoice } from '../listing/feature-choice';
import { Mini } from '../plot/mini';
import { href, param, setParams } from '../state/route';
import { feature, page } from '../state/store';
import { givenText, moved } from '../state/target';
import type { Cell } from '../files/delimited';
import { order, parseSort, ranks, writeSort } from '../table/order';
import { GrowthText, Name, predictedCost } from '../view/parts';
import { answer, wholeThen } from './answer';
import { colourOf, Mark } from './marks';
import { gap, parts, type Part } from './rows';

export function Top() {
  const { findings, data } = page.value;
  const rows = parts.value;
  const functions = rows.filter((row) => row.id !== '').length;
  if (rows.length === 0) return null;
  const whole = wholeThen.value;
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
      <table>
        <thead>
          <tr>
            <Head of="function">function</Head>
            <Head of="growth">
              growth{feature.value !== null && <> in {visible(feature.value).slice(0, 24)}</>}
            </Head>
            <Head of="now" number>
              {sizeNow()}
            </Head>
            <Head of="then" number>
              at <bdi>{then}</bdi>
            </Head>
            <th scope="col" class="interval">
              <span class="hidden">interval</span>
            </th>
            <Head of="share">share now → then</Head>
            <th scope="col" class="plot-cell">
              measured, law
            </th>
          </tr>
        </thead>
        <tbody>
          {sorted(rows).map((row) => (
            <Row key={row.id} row={row} whole={whole?.cost ?? NaN} />
          ))}
          <tr class="sum whole">
            <th scope="row">whole program</th>
            <td class="growth-cell">
              <GrowthText row={{ outlook: shown(findings.total, data.total), extra: data.total }} />
            </td>
            <td class="number now" data-then={whole ? predictedCost(whole) : '–'}>
              {cost(findings.total.max_cost)}
            </td>
            <td class="number then">{whole ? predictedCost(whole) : '–'}</td>
            <td class="interval">{whole?.ci && `(${costInterval(whole.ci)})`}</td>
            <td class="share">{share(1)}</td>
            <td class="plot-cell" />
          </tr>
        </tbody>
      </table>
      {Math.abs(gap.value) > 0.005 && (
        <p class="note">
          The laws of the functions add up to {significant(100 * Math.abs(gap.value), 2)} %{' '}
          {gap.value > 0 ? 'more' : 'less'} than that of the whole.
        </p>
      )}
    </section>
  );
}

/** What the rows are sorted by, and how the address says so. */
const sortParam = param('top');
const USUAL = '-then';
const VALUES: Record<string, (row: Part) => Cell> = {
  function: (row) => row.name,
  growth: (row) => growthOrder(row.outlook?.model.growth),
  now: (row) => row.now,
  then: (row) => row.then?.cost ?? null,
  share: (row) => row.shareThen,
};

const sortNow = () => {
  const sort = parseSort(sortParam.value ?? USUAL);
  return Object.hasOwn(VALUES, sort.key) ? sort : parseSort(USUAL);
};

/** The functions in order; what is left of the whole stays below them. */
function sorted(rows: readonly Part[]): Part[] {
  const [named, rest] = [rows.filter((row) => row.id !== ''), rows.filter((row) => row.id === '')];
  const { key, descending } = sortNow();
  const value = VALUES[key];
  if (!value) return [...rows];
  return [...order(ranks(named.map(value)), descending).flatMap((i) => named[i] ?? []), ...rest];
}

function Head({
  of,
  number = false,
  children,
}: {
  of: string;
  number?: boolean;
  children: ComponentChildren;
}) {
  const { key, descending } = sortNow();
  const isSorted = key === of;
  const sort = () => {
    const text = writeSort({ key: of, descending: isSorted ? !descending : of !== 'function' });
    setParams({ top: text === USUAL ? null : text }, 'push');
  };
  return (
    <th
      scope="col"
      class={number ? 'number' : undefined}
      aria-sort={isSorted ? (descending ? 'descending' : 'ascending') : undefined}
    >
      <button type="button" onClick={sort}>
        {children} <span aria-hidden="true">{isSorted ? (descending ? '▾' : '▴') : ''}</span>
      </button>
    </th>
  );
}

/** `at 51.0 M`: the size of the costliest run. */
function sizeNow(): string {
  const costs = page.value.data.total.costs ?? [];
  const at = page.value.featureValues(moved.value?.feature ?? '')[costs.indexOf(Math.max(...costs))] ?? null;
  return at === null ? 'costliest run' : `at ${size(at)}`;
}

function Row({ row, whole }: { row: Part; whole: number }) {
  const { outlook, extra, then, shareThen } = row;
  const isNamed = row.id !== '' && row.id === answer.value?.named?.id;
  return (
    <tr class={row.id === '' ? 'sum' : isNamed ? 'named' : undefined}>
      <th scope="row">
        {row.id === '' ? (
          row.name
        ) : (
          <span class="who">
            <Mark mark={row.mark} />
            <span>
              <a href={href('function', row.id)}>
                <Name text={row.name} columns={34} />
              </a>
              <span class="place">
                {row.file !== '' && `${visible(row.file.split('/').at(-1) ?? '')}:${row.line} `}
                <CellCode file={row.file} line={row.line} />
              </span>
            </span>
          </span>
        )}
      </th>
      <td class="growth-cell">{row.id !== '' && <GrowthText row={{ outlook, extra }} />}</td>
      <td class="number now" data-then={then ? predictedCost(then) : '–'}>
        {cost(row.now)}
      </td>
      <td class="number then">{then ? predictedCost(then) : '–'}</td>
      <td class="interval">{then?.ci && !row.decided && `(${costInterval(then.ci)})`}</td>
      <td class="share">
        {row.id !== '' && <ShareBar row={row} whole={whole} />}
        <span class="nowrap">
          {share(row.shareNow)} → <b>{shareThen === null ? '–' : share(shareThen)}</b>
        </span>
      </td>
      <td class="plot-cell">{row.id !== '' && <Small row={row} />}</td>
    </tr>
  );
}

/** The widest that a bar shows. */
const MOST_SHARE = 0.6;

/** ○ now, ● then, on a scale to 60 %; pale behind it the interval of what is not decided. */
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
      <path class="law" d={`M${now} 11H${then}`} />
      <circle class="hollow" cx={now} cy={11} r={3.5} />
      <circle class="filled" cx={then} cy={11} r={4.2} />
    </svg>
  );
}

function Small({ row }: { row: Part }) {
  const found = page.value.function(row.id);
  if (!found || !row.costs) return null;
  const i = modelShown(found.row);
  const model = found.row.models[i];
  const law = model ? lawOf(model, found.extra.models[i], found.row.law ?? null) : null;
  return (
    <span style={colourOf(row.mark)}>
      <Mini x={page.value.featureValues(model?.feature ?? '')} y={row.costs} law={law} />
    </span>
  );
}
