/** The overview, for readers who read nothing else: the answer, then the evidence, then the doubts. */

import { useMemo } from 'preact/hooks';

import { span } from '../data/models';
import { featureSize, grouped, plural } from '../format/number';
import { capitalized, shorten, visible } from '../format/text';
import { answer } from '../overview/answer';
import { Band, sizeRange } from '../overview/band';
import { LawsFigure } from '../overview/drawing';
import { Fitting } from '../overview/fitting';
import { Memory } from '../overview/memory';
import { FailedAbove, TooFew } from '../overview/states';
import { Top } from '../overview/top';
import {
  curvesOf,
  type Extent,
  extentOf,
  isNamed,
  overtakesAt,
  parts,
  sizes,
  type ViewName,
  zoomed,
} from '../overview/views';
import { useParam } from '../plot/state';
import { href, moved, page, param, setParams, sizesForCommands, targetWith } from '../state/state';
import { Choice } from '../view/choice';
import { Foot } from '../view/copy';

export function Overview() {
  const said = answer.value;
  return (
    <div class="overview">
      <FailedAbove />
      {said ? (
        <>
          <Band said={said} />
          <Growth />
          <Top />
          <Fitting />
          <Memory />
        </>
      ) : (
        <TooFew />
      )}
      <DataFacts />
      <Foot words={commandWords}>
        {page.value.data.generated_by} · seed {page.value.findings.seed} · {page.value.findings.level * 100} %
        intervals · ≈ marks an estimated or rounded number
      </Foot>
    </div>
  );
}

/** Shows in one line how much data the answer rests on. */
function DataFacts() {
  const { workloads, features, locations } = page.value.findings;
  const [first, ...others] = features;
  return (
    <p class="facts wrap">
      <a href={href('workloads')}>
        {plural(workloads.count, 'run')}
        {first && ` ${sizeRange(first)}`}
        {workloads.failed > 0 ? `, ${grouped(workloads.failed)} failed` : ', none failed'}
      </a>
      <span>{plural(locations.total, 'block')} counted exactly</span>
      <a href={href('method')}>
        {first === undefined
          ? 'no feature'
          : others.length === 0
            ? `one feature: ${visible(first.name).slice(0, 40)}`
            : plural(features.length, 'feature')}
      </a>
    </p>
  );
}

function commandWords(): string[] {
  const sizes = sizesForCommands();
  return [sizes.length > 0 ? 'predict' : 'show', page.value.data.study, ...sizes];
}

const view = param('chart');

const VIEWS = ['per', 'total', 'share'] as const;

function Growth() {
  const { findings, featureIndex } = page.value;
  const { feature, at } = moved.value ?? { feature: '', at: NaN };
  const largest = findings.features[featureIndex.get(feature) ?? -1]?.max ?? 0;
  const [from] = span(page.value.featureValues(feature)) ?? [Infinity];
  const extent = extentOf(feature, at, [from, largest]);
  return extent && parts.value.length > 0 ? <Figure {...extent} /> : null;
}

function Figure(whole: Extent) {
  const extent = zoomed(whole, useParam('growth.zoom'));
  const { feature, at, from, largest, to } = extent;
  const name = VIEWS.find((v) => v === view.value) ?? 'per';
  const curves = useMemo(
    () => curvesOf(name, feature, sizes(extent)),
    [name, feature, from, largest, at, to, parts.value],
  );
  const by = perUnit(feature, 30);
  const unit = capitalized(visible(page.value.findings.unit).slice(0, 40));
  const words = (key: ViewName) => (key === 'per' ? `Per ${perUnit(feature, 12)}` : capitalized(key));
  const over = overtaking(whole);
  const [title, summary, yLabel] = {
    per: [
      `${unit} per ${by}`,
      `Flat lines scale with the input; rising lines do not.${over ? ` ${over.text}` : ''}`,
      `cost per ${by}`,
    ],
    total: ['How the cost grows', over?.text ?? 'Points are measured, lines are laws.', 'cost'],
    share: ['Where the cost goes', 'Share of the total cost; paler = predicted.', 'share'],
  }[name] as [string, string, string];
  return (
    <LawsFigure
      id="growth"
      heading={title}
      view={name}
      {...{ title, summary, yLabel, extent, curves, over }}
      controls={
        <Choice
          label="Values in the chart"
          of={VIEWS.map((key) => ({ key, text: words(key) }))}
          chosen={name}
          choose={(v) => setParams({ chart: v === 'per' ? null : v })}
        />
      }
    />
  );
}

/** Names one unit of a feature: `byte`, `n`. */
const perUnit = (feature: string, columns: number) =>
  feature === 'bytes' ? 'byte' : shorten(feature, columns);

/** Finds the size from which the named function is the most expensive of those shown. */
function overtaking({ feature, from, largest, at }: Extent) {
  const named = parts.value.find(isNamed);
  if (!named) return null;
  const others = parts.value.filter((part) => part !== named && part.subject);
  const costs = (n: number) =>
    [named, ...others].map((part) => part.at(targetWith(feature, n))?.cost ?? null);
  const there = overtakesAt(costs, from, Math.max(at, largest) * 10);
  if (there === null) return null;
  const before = costs(there * 0.99).slice(1);
  const passed = others[before.indexOf(Math.max(...before.map((v) => v ?? 0)))];
  const where = featureSize(feature, Number(there.toPrecision(2)));
  const name = shorten(named.name, 40);
  const text = `${name} passes ${shorten(passed?.name ?? '', 40)} at ${shorten(feature, 40)} = ${where} and is then the most expensive.`;
  return { at: there, text, name };
}
