/** The laws of what will cost most, out to the target size. */

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';

import type { Estimate } from '../data/models';
import { cost, costInterval, exponent, plural, size, supportedDigits } from '../format/number';
import { shorten, visible } from '../format/text';
import { Plot } from '../plot/plot';
import type { Series } from '../plot/types';
import { href } from '../state/route';
import { page } from '../state/store';
import { GrowthBadge, Name } from '../view/parts';
import { part, rankAt, type Ranked } from './ranking';

/** Lines that can still be told apart, and rows that are read. */
const MOST = 10;

export function AtTarget({ feature, at }: { feature: string; at: number }) {
  const rows = useMemo(() => rankAt(page.value.data, feature, at).slice(0, MOST), [page.value, feature, at]);
  const looked = useSignal<number | null>(null);
  const [first] = rows;
  if (!first) return null;
  return (
    <div class="target-view">
      <Lines rows={rows} feature={feature} at={at} looked={looked.value} />
      <div class="scroll">
        <table class="ranking attarget">
          <caption class="hidden">
            The costliest at {visible(feature).slice(0, 80)} = {size(at)}
          </caption>
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
                cost at {size(at)}
              </th>
              <th scope="col" class="number">
                interval
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <Row key={row.index} row={row} look={(on) => (looked.value = on ? row.index : null)} />
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function Row({ row, look }: { row: Ranked; look: (on: boolean) => void }) {
  const { cluster, model, estimate } = row;
  const law = model?.power_law;
  const moves = row.then === null || row.then === row.now ? 'stays' : row.then < row.now ? 'rises' : 'falls';
  return (
    <tr
      class={cluster.costly ? 'costly' : undefined}
      onPointerEnter={() => look(true)}
      onPointerLeave={() => look(false)}
      onFocusIn={() => look(true)}
      onFocusOut={() => look(false)}
    >
      <td class={`number ${moves}`}>
        {row.now} → {row.then ?? '?'}
        <span aria-hidden="true"> {moves === 'rises' ? '▲' : moves === 'falls' ? '▽' : '·'}</span>
      </td>
      <th scope="row" class="where">
        <a class="place" href={href('cluster', cluster.representative.name)}>
          <Name text={page.value.title(cluster)} columns={60} />
        </a>
        <span class="detail">
          <Name text={whatItIs(row)} columns={60} />
        </span>
      </th>
      <td class="number">{cost(cluster.max_cost)}</td>
      <td>
        <GrowthBadge growth={model?.growth} />
      </td>
      <td class="number">{law ? exponent(law.b, law.b_ci) : '–'}</td>
      <td class="number">{estimate ? costOf(estimate) : '–'}</td>
      <td class="number">{estimate?.ci ? costInterval(estimate.ci) : <span class="doubt">none</span>}</td>
    </tr>
  );
}

/** Its interval has a column of its own. */
function costOf({ cost: value, ci, exact }: Estimate): string {
  return (exact ? '' : '≈ ') + cost(value, Math.min(supportedDigits(value, ci), 3));
}

function whatItIs({ cluster }: Ranked): string {
  const functions = new Set(cluster.members.map((m) => m.function).filter((f) => f !== '')).size;
  const where = functions > 1 ? ` in ${functions} functions` : '';
  const linear =
    cluster.representative.kind === 'feature' ? `, linear in ${cluster.representative.name}` : '';
  return plural(cluster.members.length, 'location') + where + linear;
}

/** Where the lines end: what one hovers, steps to and opens. */
function ends(rows: Ranked[], at: number): Series {
  const by = new Map(rows.map((row) => [row.index, row]));
  const cluster = (id: number) => by.get(id)?.cluster;
  const name = (id: number) => {
    const found = cluster(id);
    return found ? page.value.title(found) : '';
  };
  return {
    kind: 'points',
    name: 'predicted',
    x: rows.map(() => at),
    y: rows.map((row) => row.estimate?.cost ?? null),
    ids: rows.map((row) => row.index),
    labels: name,
    detail: (id) => {
      const row = by.get(id);
      const ci = row?.estimate?.ci;
      return [
        `rank ${row?.now ?? '?'} now, ${row?.then ?? '?'} there`,
        ci ? `interval: ${costInterval(ci)}` : 'no interval',
        row?.model?.growth ? `growth: ${row.model.growth.short}` : '',
      ].filter((line) => line !== '');
    },
    open: (id) => href('cluster', cluster(id)?.representative.name ?? ''),
    tone: 'fit',
    shape: 'ring',
  };
}

function Lines({
  rows,
  feature,
  at,
  looked,
}: {
  rows: Ranked[];
  feature: string;
  at: number;
  looked: number | null;
}) {
  const { data } = page.value;
  const summary = data.findings.features[page.value.featureIndex.get(feature) ?? -1];
  const [lo, hi] = [summary?.min ?? 0, summary?.max ?? 0];
  const series = useMemo(() => {
    const drawn: Series[] = [];
    for (const row of rows) {
      if (!row.model || !(lo > 0)) continue;
      const name = `#${row.now} ${shorten(page.value.title(row.cluster), 24)}`;
      const tone = row.index === looked ? 'fit' : looked === null ? 'points' : 'second';
      const ghost = looked !== null && row.index !== looked;
      const seen = part(row.extra, row.model, lo, Math.min(hi, at));
      const beyond = part(row.extra, row.model, Math.max(Math.min(hi, at), lo), at);
      drawn.push({
        kind: 'line',
        name,
        points: seen,
        tone,
        ghost,
        fits: true,
        labelled: beyond.length === 0,
      });
      if (beyond.length > 0) {
        drawn.push({
          kind: 'line',
          name,
          points: beyond,
          tone,
          ghost,
          dash: true,
          fits: true,
          labelled: true,
        });
      }
    }
    drawn.push(ends(rows, at));
    return drawn;
  }, [rows, lo, hi, at, looked]);
  const [first, second] = rows;
  const told = (row: Ranked | undefined) =>
    row?.estimate ? `${shorten(page.value.title(row.cluster), 40)} (${cost(row.estimate.cost)})` : null;
  const named = [told(first), told(second)].filter((t) => t !== null).join(', then ');
  const name = shorten(feature, 40);
  return (
    <Plot
      id="top"
      title={`What costs most, out to ${name} = ${size(at)}`}
      summary={
        named === ''
          ? `No cluster has a prediction for ${name} = ${size(at)}.`
          : `At ${name} = ${size(at)} ${named} will cost most; dashed where nothing was run.`
      }
      x={{ label: name }}
      y={{ label: `cost in ${visible(data.findings.unit)}` }}
      series={series}
      guides={[
        { axis: 'x', at: hi, label: 'largest run' },
        { axis: 'x', at, label: 'target' },
      ]}
      height={360}
    />
  );
}
