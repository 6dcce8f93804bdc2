/** Small components that every page uses: names, costs, verdicts, exponents and warnings. */

import type { ComponentChildren } from 'preact';

import type { Estimate } from '../data/law';
import { isOpen, sourceText } from '../data/models';
import type { Shown } from '../data/predict';
import type { Doubt, Model, PowerLawModel, RowExtra } from '../data/types';
import * as number from '../format/number';
import { capitalized, shorten, visible } from '../format/text';
import { page } from '../state/state';

/**
 * Shows a name from outside, isolated, escaped and shortened. Names of functions lose the arguments of generics.
 * Hovering shows the name in full.
 */
export function Name({ text, columns = 60 }: { text: string; columns?: number | undefined }) {
  const shown = shorten(page.value.shortName(text), columns);
  const whole = visible(text.slice(0, 2000));
  return (
    <bdi class="name" title={shown === whole ? undefined : whole}>
      {shown}
    </bdi>
  );
}

interface LinkedProps {
  to: string | null;
  text: string;
  columns?: number;
  /** True if Tab reaches the link. In a grid, arrow keys and Enter reach it instead. */
  stop?: boolean;
}

/** Shows a name, as a link if it has a page. */
export function Linked({ to, text, columns, stop = true }: LinkedProps) {
  const name = <Name text={text} columns={columns} />;
  return to === null ? name : <a href={to} tabIndex={stop ? undefined : -1}>{name}</a>; // prettier-ignore
}

/** Returns true if the class is doubtful: undecided, or from a model that says little. */
export const isDoubt = (model: Model) => model.doubtful === true || isOpen(model.growth);

/**
 * Shows the growth class. An undecided class, or one of a model that says little, looks doubtful and names its rivals.
 */
export function GrowthBadge({ model }: { model: Model | null | undefined }) {
  if (!model?.growth) return <span class="soft">–</span>;
  const { short, verdict } = model.growth;
  // An undecided verdict already names its alternatives.
  const isPoor = model.doubtful === true;
  return (
    <Badge
      text={isPoor ? `${short} ?` : short}
      warmth={model.warmth}
      open={isDoubt(model)}
      title={isPoor ? `${verdict}; the model fits the costs poorly` : verdict}
    />
  );
}

/** Shows a row's growth: by its law in several features, or else by its model. Warmer colours mean faster growth. */
export function GrowthText({ row, outlook }: { row: GrowthRow; outlook: Omit<Shown, 'estimate'> | null }) {
  const growth = outlook?.joint ? null : outlook?.model.growth;
  const text = outlook?.joint ? row.growth : growth?.short;
  if (!text) return <span class="soft">–</span>;
  const open = outlook?.joint ? !outlook.joint.law.decided : isOpen(growth);
  return <Badge text={text} warmth={row.warmth} open={open} title={growth?.verdict} />;
}

type GrowthRow = Partial<Pick<RowExtra, 'growth' | 'warmth'>>;

interface BadgeProps {
  text: string;
  /** Warmth from 0 to 4; an unknown growth has no colour. */
  warmth?: number | undefined;
  /** True if the growth is undecided. */
  open: boolean;
  title?: string | undefined;
}

/** Shows a growth class. Warmer colours mean faster growth. */
export function Badge({ text, warmth, open, title }: BadgeProps) {
  return (
    <span class={open ? 'badge open' : 'badge'} style={warmthStyle(warmth)} title={title}>
      <ClassText text={shorten(text, 40)} />
    </span>
  );
}

/** Returns the background and text colours of a step of growth. */
export function warmthStyle(warmth: number | undefined) {
  return warmth === undefined ? {} : { '--warmth': `var(--g${warmth})`, '--on-warmth': `var(--g${warmth}t)` };
}

/** Shows `n^1.5` with a raised exponent. */
export function ClassText({ text }: { text: string }) {
  const parts = text.split(/\^([-−]?[0-9]+(?:\.[0-9]+)?|[nc])/);
  return <>{parts.map((part, i) => (i % 2 === 1 ? <sup key={i}>{number.signed(part)}</sup> : part))}</>;
}

/** Shows the formula of a law. A long one is cut at a space, never within a number. */
export function LawText({ text, most = 400 }: { text: string; most?: number }) {
  if (text === '') return <span class="soft">–</span>;
  const kept = text.length > most ? text.slice(0, most).replace(/ \S*$/, ' …') : text;
  return (
    <bdi class="formula" title={visible(text.slice(0, 2000))}>
      <ClassText text={visible(kept)} />
    </bdi>
  );
}

/** Shows a power law as `a·f^b`, with as many digits as its intervals support. */
export function Formula({ law, feature }: { law: PowerLawModel; feature: string }) {
  const digits = Math.min(number.supportedDigits(law.a, law.a_ci), 3);
  return (
    <span class="formula">
      {number.significant(law.a, digits)}·<Name text={feature} columns={20} />
      <sup>{number.exponent(law.b, law.b_ci)}</sup>
    </span>
  );
}

/** Shows the exponent of a power law with its interval. */
export function Exponent({ law }: { law: PowerLawModel | null }) {
  if (!law) return <span class="soft">–</span>;
  return (
    <span>
      {number.exponent(law.b, law.b_ci)}{' '}
      <small class="soft">{law.b_ci ? number.exponentInterval(law.b_ci) : 'no interval'}</small>
    </span>
  );
}

/** Shows a predicted cost with its interval. */
export function EstimateText({ estimate }: { estimate: Estimate | null }) {
  if (!estimate) return <span class="soft">–</span>;
  const { ci } = estimate;
  return (
    <span class="estimate" title={`from ${sourceText(estimate.source)}`}>
      {number.predicted(estimate)}
      {ci ? (
        <span class="soft"> {number.costEnds(ci)}</span>
      ) : (
        <span class="doubt" title="no interval">
          {' ?'}
        </span>
      )}
    </span>
  );
}

/** Shows names with their values; skips `false`. With the kind `nums`, shows key numbers under their names. */
export function Pairs({ of, kind }: { of: readonly (Pair | false)[]; kind: string }) {
  return (
    <dl class={kind}>
      {of.map(
        (pair, i) =>
          pair && (
            <div key={i}>
              <dt>
                <bdi>{pair[0]}</bdi>
              </dt>
              <dd>{pair[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

export type Pair = [name: ComponentChildren, value: ComponentChildren];

/** A part of a sentence: plain text, or text with a kind and a link; `short` replaces it where there is little room. */
export type Piece = string | { as: string; text: string; href?: string | null; short?: string };

export const textOf = (pieces: readonly Piece[]) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');

/** Shortens the parts of a sentence that have a short form. */
export const inShort = (pieces: readonly Piece[]) =>
  pieces.map((piece) => (typeof piece === 'string' ? piece : { ...piece, text: piece.short ?? piece.text }));

export function Pieces({ of }: { of: readonly Piece[] }) {
  return (
    <bdi>
      {of.map((piece, i) => {
        if (typeof piece === 'string') return piece;
        const text = <ClassText text={visible(piece.text)} />;
        if (piece.href) return <a key={i} href={piece.href}>{text}</a>; // prettier-ignore
        if (piece.as === 'strong' || piece.as === 'outcome') return <b key={i} class={piece.as}>{text}</b>; // prettier-ignore
        return piece.as === 'soft' ? <span key={i} class="soft nowrap">{text}</span> : text; // prettier-ignore
      })}
    </bdi>
  );
}

/** Shows text that may contain growth classes. */
export function Prose({ text }: { text: string }) {
  return (
    <bdi>
      <ClassText text={visible(text)} />
    </bdi>
  );
}

export function Warnings({ texts }: { texts: readonly string[] }) {
  return (
    <ul class="warnings">
      {texts.map((text, i) => (
        <li key={i}>
          <Prose text={text} />
        </li>
      ))}
    </ul>
  );
}

/** Number of warnings shown at first; the most important come first. */
const MOST_DOUBTS = 3;

export function Doubts({ doubts }: { doubts: Doubt[] }) {
  const texts = doubts.map((doubt) => capitalized(doubt.message));
  const more = texts.slice(MOST_DOUBTS);
  return (
    <>
      {texts.length > 0 && <Warnings texts={texts.slice(0, MOST_DOUBTS)} />}
      {more.length > 0 && (
        <details>
          <summary>{number.plural(more.length, 'more warning')}</summary>
          <Warnings texts={more} />
        </details>
      )}
    </>
  );
}

interface SectionProps {
  title: ComponentChildren;
  id?: string;
  children: ComponentChildren;
}

export function Section({ title, id, children }: SectionProps) {
  return (
    <section id={id}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
