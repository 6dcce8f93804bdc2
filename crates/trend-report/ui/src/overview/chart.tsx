/** The laws of what will cost most, out to the target size. */

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import { rowEstimate } from '../data/predict';
import { sizesBetween } from '../data/line';
import { cost, costInterval, exponent, plural, size } from '../format/number';
import { shorten, visible } from '../format/text';
import { lawOf, modelled, type ModelledRow } from '../listing/modelled';
import { clusterRows } from '../listing/rows';
import { Plot } from '../plot/plot';
import type { LineSeries, Series } from '../plot/types';
import { href } from '../state/route';
import { feature as chosen, page } from '../state/store';
import { givenText, target, targetWith } from '../state/target';
import { GrowthText, Name, predictedCost } from '../view/parts';

/** Lines that can still be told apart, and rows that are read. */
const MOST = 10;

/** The clusters by what they will cost at the target; those without a prediction last. */
export function costliestThen(): ModelledRow[] {
  const rows = modelled(clusterRows(page.value));
  return rows.sort((a, b) => (a.rankThen ?? Infinity) - (b.rankThen ?? Infinity) || a.rank - b.rank);
}

export function AtTarget({ feature, at }: { feature: string; at: number }) {
  const rows = useMemo(() => costliestThen().slice(0, MOST), [page.value, chosen.value, target.value]);
  const looked = useSignal<string | null>(null);
  const [first] = rows;
  if (!first) return null;
  return (
    <div class="target-view">
      <Lines rows={rows} feature={feature} at={at} looked={looked.value} />
      <div class="scroll">
        <table class="ranking attarget">
          <caption class="hidden">The costliest at {givenText()}</caption>
          <thead>
            <tr>
              <th scope="col" class="number" title="rank now, by maximum cost so far → at the target size">
                rank now → then
              </th>
              <th scope="col">cluster</th>
              <th scope="col" class="number">
                max cost so far
              </th>
              <th scope="col">growth</th>
              <th scope="col" class="number">
                exponent
              </th>
              <th scope="col" class="number">
                cost at {givenText()}
              </th>
              <th scope="col" class="number">
                interval
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.id} row={row} look={(on) => (looked.value = on ? row.id : null)} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Row({ row, look }: { row: ModelledRow; look: (on: boolean) => void }) {
  const law = lawOf(row);
  const estimate = row.outlook?.estimate ?? null;
  const { rank, rankThen } = row;
  const moves = rankThen === null || rankThen === rank ? 'stays' : rankThen < rank ? 'rises' : 'falls';
  return (
    <tr
      class={row.costly ? 'costly' : undefined}
      onPointerEnter={() => look(true)}
      onPointerLeave={() => look(false)}
      onFocusIn={() => look(true)}
      onFocusOut={() => look(false)}
    >
      <td class={`number ${moves}`}>
        {rank} → {rankThen ?? '?'}
        <span aria-hidden="true"> {moves === 'rises' ? '▲' : moves === 'falls' ? '▽' : '·'}</span>
      </td>
      <th scope="row" class="where">
        <a class="place" href={href('cluster', row.id)}>
          <Name text={row.name} columns={60} />
        </a>
        <span class="detail">
          <Name text={whatItIs(row)} columns={60} />
        </span>
      </th>
      <td class="number">{cost(row.maxCost)}</td>
      <td>
        <GrowthText row={row} />
      </td>
      <td class="number">{law ? exponent(law.b, law.b_ci) : '–'}</td>
      <td class="number">{estimate ? predictedCost(estimate) : '–'}</td>
      <td class="number">{estimate?.ci ? costInterval(estimate.ci) : <span class="doubt">none</span>}</td>
    </tr>
  );
}

function whatItIs(row: ModelledRow): string {
  const found = page.value.cluster(row.id)?.cluster;
  const functions = new Set(found?.members.map((m) => m.function).filter((f) => f !== '')).size;
  const where = functions > 1 ? ` in ${functions} functions` : '';
  const linear = found?.representative.kind === 'feature' ? `, linear in ${row.id}` : '';
  return plural(row.locations ?? 0, 'location') + where + linear;
}

/** Where the lines end: what one hovers, steps to and opens. */
function ends(rows: ModelledRow[], at: number): Series {
  return {
    kind: 'points',
    name: 'predicted',
    x: rows.map(() => at),
    y: rows.map((row) => row.outlook?.estimate?.cost ?? null),
    labels: (i) => rows[i]?.name ?? '',
    detail: (i) => {
      const row = rows[i];
      const ci = row?.outlook?.estimate?.ci;
      return [
        `rank ${row?.rank ?? '?'} now, ${row?.rankThen ?? '?'} there`,
        ci ? `interval: ${costInterval(ci)}` : 'no interval',
        `growth: ${row?.extra.growth ?? ''}`,
      ];
    },
    open: (i) => href('cluster', rows[i]?.id ?? ''),
    tone: 'fit',
    shape: 'ring',
  };
}

/** The law of a row along one feature, as far as it says something; other features stand where they do at the target. */
function along({ row, extra }: ModelledRow, feature: string, from: number, to: number): [number, number][] {
  if (!(from > 0) || !(from < to)) return [];
  return sizesBetween([from, to], STEPS).flatMap((n): [number, number][] => {
    const found = rowEstimate(row, extra, targetWith(feature, n));
    return found ? [[n, found.cost]] : [];
  });
}

const STEPS = 24;

interface LinesProps {
  rows: ModelledRow[];
  feature: string;
  at: number;
  looked: string | null;
}

function Lines({ rows, feature, at, looked }: LinesProps) {
  const { data } = page.value;
  const summary = data.findings.features[page.value.featureIndex.get(feature) ?? -1];
  const [lo, hi] = [summary?.min ?? 0, summary?.max ?? 0];
  const laws = useMemo(() => {
    const between = (row: ModelledRow) => [
      along(row, feature, lo, Math.min(hi, at)),
      along(row, feature, Math.max(Math.min(hi, at), lo), at),
    ];
    return rows.map(between);
  }, [rows, feature, lo, hi, at]);
  const series = useMemo(() => {
    const drawn = rows.flatMap((row, i): LineSeries[] => {
      const [seen = [], beyond = []] = laws[i] ?? [];
      const line: Omit<LineSeries, 'points'> = {
        kind: 'line',
        name: `#${row.rank} ${shorten(row.name, 24)}`,
        tone: row.id === looked ? 'fit' : looked === null ? 'points' : 'second',
        ghost: looked !== null && row.id !== looked,
        fits: true,
      };
      const runs: LineSeries = { ...line, points: seen, labelled: beyond.length === 0 };
      return beyond.length === 0 ? [runs] : [runs, { ...line, points: beyond, dash: true, labelled: true }];
    });
    return [...drawn, ends(rows, at)];
  }, [rows, laws, at, looked]);
  const told = rows.slice(0, 2).flatMap(({ name, outlook }) => {
    return outlook?.estimate ? `${shorten(name, 40)} (${predictedCost(outlook.estimate)})` : [];
  });
  const where = givenText();
  return (
    <Plot
      id="top"
      title={`What costs most, out to ${where}`}
      summary={
        told.length === 0
          ? `No cluster has a prediction for ${where}.`
          : `At ${where} ${told.join(', then ')} will cost most; dashed where nothing was run.`
      }
      x={{ label: shorten(feature, 40) }}
      y={{ label: `cost in ${visible(data.findings.unit)}` }}
      series={series}
      guides={[
        { axis: 'x', at: hi, label: 'largest run' },
        { axis: 'x', at, label: `target: ${size(at)}` },
      ]}
      height={360}
    />
  );
}
