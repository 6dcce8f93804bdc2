/** The band with the answer: two sentences, the line, one button, and the target with its time, memory and cost. */

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import type { FeatureSummary, Interval } from '../data/types';
import {
  bytes,
  bytesEnds,
  cost,
  costEnds,
  featureSize,
  predicted,
  seconds,
  secondsEnds,
} from '../format/number';
import { shorten } from '../format/text';
import { CodeLine } from '../listing/cell-code';
import {
  advice,
  type Answer,
  costPieces,
  predictionDoubts,
  memoryThen,
  placeOf,
  type Predicted,
  timeThen,
  type WeighedFunction,
} from './answer';
import { Doubt } from './states';
import { href, page } from '../state/state';
import { Command, CopyButton, UNTIL_DECIDED } from '../view/copy';
import { inShort, Name, type Piece, Pieces, textOf } from '../view/parts';
import { Slider, TargetBox } from '../view/target';

/** True while the band is in view. Otherwise the bar shows the target. */
export const bandInView = signal(true);

export function Band({ said }: { said: Answer }) {
  const ref = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!ref.current) return;
    const observer = new IntersectionObserver(
      ([entry]) => (bandInView.value = entry?.isIntersecting ?? true),
    );
    observer.observe(ref.current);
    return () => {
      observer.disconnect();
      bandInView.value = true;
    };
  }, []);
  const { named } = said;
  const { first, more } = advice(said);
  const hasCommand = said.kind === 'open' && page.value.hasRuns && Boolean(named?.candidate.next);
  return (
    <section class="answer" ref={ref} aria-labelledby="say">
      <div class="says">
        <h1 class="hidden">
          <Name text={page.value.findings.program.name} columns={60} />: what will not scale
        </h1>
        <Say id="say" of={costPieces(said)} />
        <Say of={first} />
        <Spoken text={spokenText(said)} />
      </div>
      <div>
        <p class="more">
          <Pieces of={more} />
        </p>
        <div class="act wrap">
          {hasCommand && <Command text={UNTIL_DECIDED} go />}
          {named && <OpenLink key={named.subject.id} named={named} isDark={!hasCommand} />}
          <CopyButton label="Copy as text" text={() => spokenText(said)} />
        </div>
        <Doubt named={named} />
      </div>
      <div>
        <Slider />
        <TargetBox />
      </div>
      <Gauges said={said} />
    </section>
  );
}

/** The media query for phones. The style sheets use the same width. */
const phone = matchMedia('(max-width: 40rem)');
const isPhone = signal(phone.matches);
phone.addEventListener('change', () => (isPhone.value = phone.matches));

/** Number of characters up to which a sentence is shown in full: on a phone, and elsewhere. */
const [MOST_ON_PHONE, MOST] = [88, 190];

/** Shows a sentence of the answer. The longer it is, the smaller are its letters, so that it takes few lines. */
function Say({ id, of }: { id?: string; of: readonly Piece[] }) {
  const isLong = textOf(of).length > (isPhone.value ? MOST_ON_PHONE : MOST);
  const shown = isLong ? inShort(of) : of;
  return (
    <p class="say" id={id} style={{ '--characters': textOf(shown).length }}>
      <Pieces of={shown} />
    </p>
  );
}

function spokenText(said: Answer): string {
  const { first, more } = advice(said);
  const sentences = [costPieces(said), [...first, ...more]].map(textOf);
  return [...sentences, ...(said.whole ? predictionDoubts(said.whole) : [])].join(' ');
}

/** Time that the slider must rest before its result is announced. */
const REST_MS = 500;

export function Spoken({ text }: { text: string }) {
  const [spoken, speak] = useState('');
  const first = useRef(text);
  useEffect(() => {
    if (text === first.current) return;
    const timer = setTimeout(() => speak(text), REST_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <p class="hidden" role="status">
      {spoken}
    </p>
  );
}

/** Links to the line of the named function, or to the function. Enter follows the link even if it is not dark. */
function OpenLink({ named, isDark }: { named: WeighedFunction; isDark: boolean }) {
  const place = placeOf(named);
  const [to, text] = place
    ? [href('source', place.file, { line: place.line }), `${place.file.split('/').at(-1)}:${place.line}`]
    : [href('function', named.subject.id), 'the function'];
  return (
    <>
      {isDark && place && <CodeLine file={place.file} line={place.line} />}
      <a class={isDark ? 'go' : 'go light'} href={to}>
        <span>Open {shorten(text, 36)}</span> <kbd>↵</kbd>
      </a>
    </>
  );
}

/**
 * Shows the predicted time, memory and cost, as far as they are known. Each stands beside the value of one measured
 * run: the longest that was timed, or else the most expensive.
 */
function Gauges({ said: { whole } }: { said: Answer }) {
  const { data, findings } = page.value;
  const { answer, total, workloads } = findings;
  if (!whole) return null;
  const { longest } = workloads;
  const run = data.workloads.findIndex(({ name }) => name === longest?.workload);
  const time = answer?.time;
  const memory = memoryThen();
  return (
    <div class="gauges">
      {time && (
        <Gauge
          name="time"
          measured={longest?.seconds}
          then={timeThen(time, whole)}
          write={seconds}
          writeThen={({ value, ci }) => [seconds(value), secondsEnds(value, ci)]}
        />
      )}
      {memory && (
        <Gauge
          name="memory"
          measured={longest?.peak_bytes}
          then={memory}
          write={(value) => bytes(value, 2)}
          writeThen={({ value, ci }) => [bytes(value, 2), bytesEnds(value, ci)]}
        />
      )}
      <Gauge
        name="cost"
        measured={longest ? total.costs?.[run] : total.max_cost}
        then={{ value: whole.cost, ci: whole.ci ?? [whole.cost, whole.cost] }}
        write={cost}
        writeThen={() => [predicted(whole), costEnds(whole.ci)]}
      />
    </div>
  );
}

interface GaugeOf {
  name: string;
  measured: number | undefined;
  then: Predicted;
  write: (value: number) => string;
  /** Formats the prediction, and its interval in parentheses. */
  writeThen: (then: Predicted) => [string, string];
}

/** Shows the measured value and the value at the target with its interval, on one logarithmic scale. */
function Gauge({ name, measured, then, write, writeThen }: GaugeOf) {
  const { value, ci } = then;
  const positive = [value, ...ci, measured ?? value].filter((one) => one > 0);
  if (positive.length === 0) return null;
  const from = Math.min(...positive) / 2;
  const to = Math.max(...positive) * 2;
  const at = (one: number) => Math.log(Math.max(one, from) / from) / Math.log(to / from);
  const [text, interval] = writeThen(then);
  const now = measured === undefined ? '' : `${write(measured)} measured`;
  return (
    <GaugeBar
      name={name}
      label={`${now === '' ? '' : `${now}, `}${text} ${interval} at the target`}
      at={at}
      value={value}
      ci={ci}
      measured={measured}
    >
      <span>{now}</span>
      <span>
        <b>{text}</b> {interval}
      </span>
    </GaugeBar>
  );
}

/** Formats a feature's range: `from 10.0 kB to 51.2 MB`. */
export function sizeRange({ name, min, max }: FeatureSummary): string {
  if (min === null || max === null) return '';
  const [from, to] = [min, max].map((v) => featureSize(name, v));
  return from === to ? `of ${from}` : `from ${from} to ${to}`;
}

const WIDTH = 300;
const HEIGHT = 34;

interface GaugeProps {
  name: string;
  /** Text for screen readers. */
  label: string;
  /** Returns the position of a cost on the scale, 0 to 1. */
  at: (cost: number) => number;
  value: number;
  ci: Interval;
  /** The measured cost, shown as a second mark. */
  measured?: number | undefined;
  children: ComponentChildren;
}

export function GaugeBar({ name, label, at, value, ci: [lo, hi], measured, children }: GaugeProps) {
  const x = (cost: number) => 6 + (WIDTH - 12) * at(cost);
  return (
    <div class={`gauge ${name}`}>
      <span class="soft">{name}</span>
      <div>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={label}>
          <path class="rule" d={`M6 17H${WIDTH - 6}`} />
          {measured !== undefined && <path class="measured" d={`M${x(measured)} 11v12`} />}
          <rect class="between" x={x(lo)} y={12} width={Math.max(3, x(hi) - x(lo))} height={10} />
          <path class="predicted" d={`M${x(value)} 8v18`} />
        </svg>
        <div class="ends wrap soft">{children}</div>
      </div>
    </div>
  );
}
