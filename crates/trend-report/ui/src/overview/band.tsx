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
import { CodeLine } from '../listing/cell-code';
import {
  advice,
  type Answer,
  costPieces,
  predictionDoubts,
  lineOf,
  memoryThen,
  type Predicted,
  sourceOf,
  timeThen,
  type WeighedFunction,
} from './answer';
import { Doubt } from './states';
import { href, page } from '../state/state';
import { Command, CopyButton, UNTIL_DECIDED } from '../view/copy';
import { Name, Pieces, textOf } from '../view/parts';
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
  const isOpen = said.kind === 'open' && page.value.hasRuns;
  return (
    <section class="answer" ref={ref} aria-labelledby="say">
      <div class="says">
        <h1 class="hidden">
          <Name text={page.value.findings.program.name} columns={60} />: what will not scale
        </h1>
        <p class="say" id="say">
          <Pieces of={costPieces(said)} />
        </p>
        <p class="say">
          <Pieces of={first} />
        </p>
        <Spoken text={spokenText(said)} />
      </div>
      <div>
        <p class="more">
          <Pieces of={more} />
        </p>
        <div class="act wrap">
          {isOpen && <Command text={UNTIL_DECIDED} go />}
          {named && <OpenLink key={lineOf(named)} named={named} isDark={!isOpen} />}
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

/** Shows the line's code and a link to it. Enter follows this link, even if another button is the dark one. */
function OpenLink({ named, isDark }: { named: WeighedFunction; isDark: boolean }) {
  const line = lineOf(named);
  return (
    <>
      {isDark && <CodeLine file={named.subject.file} line={named.candidate.line} />}
      <a
        class={isDark ? 'go' : 'go light'}
        href={line === null ? href('function', named.subject.id) : sourceOf(named)}
      >
        <span>Open {line?.split('/').at(-1) ?? 'the function'}</span> <kbd>↵</kbd>
      </a>
    </>
  );
}

/** Shows the time, the memory and the cost at the target, as far as they are known. */
function Gauges({ said: { whole } }: { said: Answer }) {
  const { answer, total, workloads } = page.value.findings;
  if (!whole) return null;
  const time = answer?.time;
  const memory = memoryThen();
  return (
    <div class="gauges">
      {time && (
        <Gauge
          name="time"
          measured={time.longest}
          then={timeThen(time, whole)}
          write={seconds}
          writeThen={({ value, ci }) => [seconds(value), secondsEnds(value, ci)]}
        />
      )}
      {memory && (
        <Gauge
          name="memory"
          measured={workloads.longest?.peak_bytes}
          then={memory}
          write={(value) => bytes(value, 2)}
          writeThen={({ value, ci }) => [bytes(value, 2), bytesEnds(value, ci)]}
        />
      )}
      <Gauge
        name="cost"
        measured={total.max_cost}
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
