/** Small pieces that every page uses: names, costs, verdicts, exponents, warnings. */

import type { ComponentChildren } from 'preact';

import { sourceText } from '../data/growth-class';
import type { Estimate } from '../data/models';
import type { Shown } from '../data/predict';
import type { Doubt, GrowthModel, PowerLawModel, RowExtra } from '../data/types';
import * as number from '../format/number';
import { shorten, visible } from '../format/text';

/** A name from outside: isolated, escaped, shortened; the whole of it on hover. */
export function Name({ text, columns = 60 }: { text: string; columns?: number }) {
  const shown = shorten(text, columns);
  const whole = visible(text.slice(0, 2000));
  return (
    <bdi class="name" title={shown === whole ? undefined : whole}>
      {shown}
    </bdi>
  );
}

/** The growth class; undecided ones look like a doubt and name their rivals. */
export function GrowthBadge({ growth }: { growth: GrowthModel | null | undefined }) {
  if (!growth) return <span class="soft">–</span>;
  const kind = !growth.decided ? 'undecided' : growth.superlinear ? 'steep' : 'decided';
  return (
    <span class={`badge ${kind}`} title={growth.verdict}>
      <ClassText text={shorten(growth.short, 40)} />
    </span>
  );
}

/** How a row grows: by its law in several features, else by the model that it is shown with; the warmer, the faster. */
export function GrowthText({ row }: { row: { outlook: Shown | null; extra: RowExtra } }) {
  const { outlook, extra } = row;
  const growth = outlook?.joint ? null : outlook?.model.growth;
  const text = outlook?.joint ? extra.growth : (growth?.short ?? '');
  if (text === '') return <span class="soft">–</span>;
  const decided = outlook?.joint?.law.decided ?? growth?.decided ?? true;
  return (
    <span class={`badge warmth${extra.warmth ?? ''}${decided ? '' : ' open'}`} title={growth?.verdict}>
      <ClassText text={shorten(text, 40)} />
    </span>
  );
}

/** `n^1.5` with the exponent raised. */
export function ClassText({ text }: { text: string }) {
  const parts = text.split(/\^([-−]?[0-9]+(?:\.[0-9]+)?|n)/);
  return <>{parts.map((part, i) => (i % 2 === 1 ? <sup key={i}>{number.signed(part)}</sup> : part))}</>;
}

/** The formula of a law. */
export function LawText({ text, most = 400 }: { text: string; most?: number }) {
  if (text === '') return <span class="soft">–</span>;
  return (
    <bdi class="formula" title={visible(text.slice(0, 2000))}>
      <ClassText text={visible(text.slice(0, most))} />
    </bdi>
  );
}

/** `a·f^b` of a power law, with as many digits as its intervals support. */
export function Formula({ law, feature }: { law: PowerLawModel; feature: string }) {
  const digits = Math.min(number.supportedDigits(law.a, law.a_ci), 3);
  return (
    <span class="formula">
      {number.significant(law.a, digits)}·<Name text={feature} columns={20} />
      <sup>{number.exponent(law.b, law.b_ci)}</sup>
    </span>
  );
}

/** A predicted cost with its interval. */
export function EstimateText({ estimate }: { estimate: Estimate | null }) {
  if (!estimate) return <span class="soft">–</span>;
  const { ci } = estimate;
  return (
    <span class="estimate" title={`from ${sourceText(estimate.source)}`}>
      {predictedCost(estimate)}
      {ci ? (
        <span class="soft"> ({number.costInterval(ci)})</span>
      ) : (
        <span class="doubt" title="no interval">
          {' '}
          ?
        </span>
      )}
    </span>
  );
}

/** With as many digits as the interval supports; without one it is only about so much. */
export function predictedCost({ cost, ci }: Estimate): string {
  if (!ci) return `≈ ${number.cost(cost, 2)}`;
  return number.cost(cost, Math.min(number.supportedDigits(cost, ci), 3));
}

/** Warnings that are shown without being asked for; those that matter come first. */
const MOST_DOUBTS = 3;

export function Doubts({ doubts }: { doubts: Doubt[] }) {
  if (doubts.length === 0) return null;
  const more = doubts.length - MOST_DOUBTS;
  const list = (some: Doubt[]) => (
    <ul class="warnings">
      {some.map((d, i) => (
        <li key={i}>
          <bdi>{visible(d.message)}</bdi>
        </li>
      ))}
    </ul>
  );
  return (
    <>
      {list(doubts.slice(0, MOST_DOUBTS))}
      {more > 0 && (
        <details>
          <summary>{number.plural(more, 'more warning')}</summary>
          {list(doubts.slice(MOST_DOUBTS))}
        </details>
      )}
    </>
  );
}

export function Section({
  title,
  id,
  children,
}: {
  title: ComponentChildren;
  id?: string;
  children: ComponentChildren;
}) {
  return (
    <section id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
