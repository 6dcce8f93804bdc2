/** How the costliest functions grow, out to the target: cost ÷ size, cost, or share. The labels are legend and read-out. */

import { useMemo } from 'preact/hooks';

import { size } from '../format/number';
import { capitalized, shorten, visible } from '../format/text';
import { param, setParams } from '../state/route';
import { page } from '../state/store';
import { moved, targetWith } from '../state/target';
import { Choice } from '../view/choice';
import { answer } from './answer';
import { curvesOf, type Extent } from './curves';
import { LawsFigure } from './figure';
import { parts } from './rows';
import { overtakesAt, sizes, type ViewName } from './views';

const view = param('chart');

const VIEWS = ['per', 'total', 'share'] as const;

const viewNow = (): ViewName => VIEWS.find((v) => v === view.value) ?? 'per';

export function Growth() {
  const place = moved.value;
  const summary = page.value.findings.features[page.value.featureIndex.get(place?.feature ?? '') ?? -1];
  const positive = page.value.featureValues(place?.feature ?? '').filter((v) => v !== null && v > 0);
  const from = Math.min(...positive.map(Number));
  if (!place || !summary?.max || !(from < summary.max) || parts.value.length === 0) return null;
  return <Figure feature={place.feature} at={place.at} from={from} largest={summary.max} />;
}

function Figure(extent: Extent) {
  const { feature, at, from, largest } = extent;
  const name = viewNow();
  const to = Math.max(at, largest * 1.3) * 1.06;
  const curves = useMemo(
    () => curvesOf(name, feature, sizes(from, largest, to)),
    [name, feature, from, largest, to, parts.value],
  );
  const by = perUnit(feature, 30);
  const unit = capitalized(visible(page.value.findings.unit).slice(0, 40));
  const title = { per: `${unit} per ${by}`, total: 'How the cost grows', share: 'Where the cost goes' }[name];
  const over = overtaking(extent);
  const summary = {
    per: `Flat lines scale with the input; a rising one does not.${over ? ` ${over.text}` : ''}`,
    total: over?.text ?? 'Points were measured, lines are laws.',
    share: 'How much of the cost is whose. Paler from the largest run on: predicted.',
  }[name];
  return (
    <LawsFigure
      id="growth"
      heading={title}
      view={name}
      yLabel={{ per: `cost per ${by}`, total: 'cost', share: 'share' }[name]}
      extent={{ ...extent, to }}
      {...{ title, summary, curves, over }}
      controls={
        <Choice
          label="What the chart shows"
          of={VIEWS.map((key) => ({
            key,
            text: key === 'per' ? `Per ${perUnit(feature, 12)}` : capitalized(key),
          }))}
          chosen={name}
          choose={(v) => setParams({ chart: v === 'per' ? null : v })}
        />
      }
    />
  );
}

/** `byte`, `n` */
const perUnit = (feature: string, columns: number) =>
  feature === 'bytes' ? 'byte' : shorten(feature, columns);

/** Where the named function becomes the costliest of those shown. */
function overtaking({
  feature,
  from,
  largest,
  at,
}: Extent): { at: number; text: string; name: string } | null {
  const named = parts.value.find((part) => part.id !== '' && part.id === answer.value?.named?.id);
  if (!named) return null;
  const others = parts.value.filter((part) => part !== named && part.id !== '');
  const costs = (n: number) =>
    [named, ...others].map((part) => part.at(targetWith(feature, n))?.cost ?? null);
  const there = overtakesAt(costs, from, Math.max(at, largest) * 10);
  if (there === null) return null;
  const before = costs(there * 0.99).slice(1);
  const passed = others[before.indexOf(Math.max(...before.map((v) => v ?? 0)))];
  const where = size(Number(there.toPrecision(2)));
  const name = shorten(named.name, 40);
  const text = `${name} passes ${shorten(passed?.name ?? '', 40)} at ${shorten(feature, 40)} = ${where} and is then the costliest.`;
  return { at: there, text, name };
}
