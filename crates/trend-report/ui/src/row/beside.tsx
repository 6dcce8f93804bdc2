/** The column next to the law: its predictions, the laws that the data allow, and the runs that would decide. */

import { sumAt } from '../data/law';
import { isOpen } from '../data/models';
import type { GrowthModel, GrowthSupport, Joint, Law, Model } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import type { Outlook } from './shown';
import { askTimes, givenText, moved, multiple, page } from '../state/state';
import { shown } from '../table/column';
import { Command, UNTIL_DECIDED } from '../view/copy';
import { ClassText, EstimateText, Formula, Name } from '../view/parts';
import { Table } from '../view/table';

/** Shows the predictions. A click on a row sets the target. */
export function Predictions({ outlooks }: { outlooks: Outlook[] }) {
  if (outlooks.every((o) => o.estimate === null)) return <p class="soft">No law to predict with.</p>;
  return (
    <Table
      label="predictions"
      kind="predictions"
      rows={outlooks}
      row={({ times, asked }) => ({
        class: asked ? 'asked' : '',
        onClick: () => times !== null && askTimes(times),
      })}
      columns={[
        ['target', 'row', (outlook) => <Times {...outlook} />],
        [
          <Name text={moved.value?.feature ?? 'size'} columns={20} />,
          'soft',
          ({ at }) => number.featureSize(moved.value?.feature ?? '', at),
        ],
        ['cost, interval', '', ({ estimate }) => <EstimateText estimate={estimate} />],
        ['share', 'number', ({ share }) => shown(share, number.share)],
      ]}
    />
  );
}

function Times({ times, asked }: Outlook) {
  if (times === null) return null;
  return (
    <button type="button" class="quiet" aria-pressed={asked} onClick={() => askTimes(times)}>
      {multiple(times)}
    </button>
  );
}

const METER = 84;

interface LawsProps {
  model: Model;
  /** The row's law, if it is the law in the model's feature. */
  law: Law | null;
  /** The prediction at the target. */
  here: Outlook | undefined;
}

/** Shows the classes that the data allow, and the law, which is their average. Collapsed if one class is decided. */
export function Laws({ model, law, here }: LawsProps) {
  const { growth } = model;
  if (!growth) return <OtherLaws model={model} rivals={[]} />;
  const named = growth.classes.filter((c) => c.named);
  const table = <LawsTable growth={growth} named={named} law={law} here={here} />;
  return (
    <>
      {!isOpen(growth) ? (
        <details>
          <summary>{growth.decided ? 'The law the data allow' : 'Laws the data allow'}</summary>
          {table}
        </details>
      ) : (
        <>
          <h2>Laws the data allow</h2>
          {table}
        </>
      )}
      <OtherLaws model={model} rivals={growth.classes.filter((c) => !c.named)} />
    </>
  );
}

/** Shows the laws in several features that the data allow, if none is decided. */
export function JointLaws({ joint: { law, laws } }: { joint: Joint }) {
  if (law.decided) return null;
  return (
    <>
      <h2>Laws the data allow</h2>
      <Table
        label="laws in several features"
        kind="classes"
        rows={laws}
        columns={[
          ['law', 'row', ({ formula }) => <ClassText text={visible(formula).slice(0, 300)} />],
          ['support', '', ({ support }) => <Meter of={support} />],
        ]}
      />
    </>
  );
}

type LawsTableProps = Omit<LawsProps, 'model'> & { growth: GrowthModel; named: GrowthSupport[] };

function LawsTable({ growth, named, law, here }: LawsTableProps) {
  const sums = law?.parts.length === 1 ? law.parts[0]?.sums : undefined;
  const at = (name: string) => {
    const sum = sums?.find((s) => s.class === name) ?? (sums?.length === 1 ? sums[0] : undefined);
    return sum && here ? sumAt(sum, here.at) : null;
  };
  const cost = (value: number | null | undefined) => shown(value, (v) => number.cost(v, 2));
  // Adds the law itself as the last row if it is an average of several classes.
  const rows = named.length > 1 ? [...named, null] : named;
  return (
    <Table
      label="growth classes"
      kind="classes"
      rows={rows}
      row={(c) => (c ? { title: visible(c.formula) } : { class: 'whole' })}
      columns={[
        ['law', 'row', (c) => (c ? <ClassText text={c.class} /> : 'the law')],
        ['support', '', (c) => (c ? <Meter of={c.support} /> : <span class="soft">their average</span>)],
        [<>at {givenText()}</>, 'number', (c) => cost(c ? at(c.class) : here?.estimate?.cost)],
        [
          <span title="typical distance of the costs from the law">scatter</span>,
          'number soft',
          (c) => (c ? spread(c.spread) : `${growth.points} points`),
        ],
      ]}
    />
  );
}

function Meter({ of }: { of: number }) {
  return (
    <>
      <svg class="meter" width={METER} height="8" aria-hidden="true">
        <rect width={Math.max(METER * of, 1)} height="8" />
      </svg>{' '}
      {number.probability(of)}
    </>
  );
}

/** Formats a scatter as a percentage. */
function spread(value: number): string {
  return value < 1e-6 ? '0' : `${number.significant(value * 100, 2)}\u00a0%`;
}

/** Shows the classes that the verdict does not name, and the power law and line. */
function OtherLaws({ model, rivals }: { model: Model; rivals: GrowthSupport[] }) {
  const { power_law: power, linear, feature } = model;
  if (rivals.length === 0 && !power && !linear) return null;
  const first = rivals.slice(0, 3).map((c) => c.class);
  const more = rivals.length - first.length + Number(power !== null) + Number(linear !== null);
  return (
    <details class="ruled-out">
      <summary>
        Other laws considered:{' '}
        <ClassText text={[...first, `${first.length > 0 ? 'and ' : ''}${more} more`].join(', ')} />
      </summary>
      <ul>
        {rivals.map((c) => (
          <li key={c.class}>
            <ClassText text={visible(c.formula).slice(0, 300)} />{' '}
            <span class="soft">
              (support {number.probability(c.support)}, scatter {spread(c.spread)})
            </span>
          </li>
        ))}
        {power && (
          <li>
            power law <Formula law={power} feature={feature} />{' '}
            <span class="soft">
              (exponent {power.b_ci ? number.exponentInterval(power.b_ci) : 'without an interval'}, R²{' '}
              {number.r2(power.r2)}, {number.plural(power.points, 'point')} at{' '}
              {number.plural(power.sizes, 'size')}
              {power.ignored_zeros > 0 && `, ${number.plural(power.ignored_zeros, 'zero')} left out`})
            </span>
          </li>
        )}
        {linear && (
          <li>
            line {number.cost(linear.a)} {linear.b < 0 ? '−' : '+'}{' '}
            {number.significant(Math.abs(linear.b), 3)}·
            <Name text={feature} columns={20} /> <span class="soft">(R² {number.r2(linear.r2)})</span>
          </li>
        )}
      </ul>
    </details>
  );
}

/** Shows the runs that would decide the growth. */
export function NextRuns({ next }: { next: NonNullable<Model['next']> }) {
  return (
    <>
      <h2>Runs that would decide it</h2>
      <p>
        <bdi>{visible(next.message)}</bdi>.
      </p>
      {page.value.hasRuns && (
        <p class="act wrap">
          <Command text={UNTIL_DECIDED} />
        </p>
      )}
    </>
  );
}
