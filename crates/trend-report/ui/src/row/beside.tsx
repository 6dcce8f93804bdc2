/** Beside the law: what it predicts, which laws the data allow, and what would decide. */

import { sumsAt } from '../data/law';
import type { GrowthModel, GrowthSupport, Law, Model } from '../data/types';
import { hasRuns } from '../overview/band';
import * as number from '../format/number';
import { visible } from '../format/text';
import { askTimes, givenText, moved, multiple } from '../state/target';
import { CopyButton } from '../view/copy';
import { Table } from '../view/table';
import { ClassText, EstimateText, Formula, Name } from '../view/parts';
import { supportText, type Outlook } from './shown';

/** A row sets the target. */
export function Predictions({ outlooks }: { outlooks: Outlook[] }) {
  if (outlooks.every((o) => o.estimate === null)) return <p class="soft">There is no law to predict by.</p>;
  return (
    <Table
      label="predictions"
      kind="predictions"
      heads={[
        'target',
        <Name text={moved.value?.feature ?? 'size'} columns={20} />,
        'cost, interval',
        'share',
      ]}
      numeric={[3]}
    >
      {outlooks.map(({ times, at, asked, estimate, share }) => (
        <tr key={at} class={asked ? 'asked' : ''} onClick={() => times !== null && askTimes(times)}>
          <th scope="row">
            {times !== null && (
              <button type="button" class="quiet" aria-pressed={asked} onClick={() => askTimes(times)}>
                {multiple(times)}
              </button>
            )}
          </th>
          <td class="soft">{number.size(Number(at.toPrecision(3)))}</td>
          <td>
            <EstimateText estimate={estimate} />
          </td>
          <td class="number">{share === null ? '–' : number.share(share)}</td>
        </tr>
      ))}
    </Table>
  );
}

const METER = 84;

interface LawsProps {
  model: Model;
  /** That of the row, where it is the law in the model's feature. */
  law: Law | null;
  /** The target. */
  here: Outlook | undefined;
}

/** The classes that the data allow, and the law, which is their average; closed where one is decided. */
export function Laws({ model, law, here }: LawsProps) {
  const { growth } = model;
  if (!growth) return <Others model={model} rivals={[]} />;
  const named = growth.classes.filter((c) => c.named);
  const table = <LawsTable growth={growth} named={named} law={law} here={here} />;
  return (
    <>
      {growth.decided ? (
        <details>
          <summary>The law the data allow</summary>
          {table}
        </details>
      ) : (
        <>
          <h2>Laws the data allow</h2>
          {table}
        </>
      )}
      <Others model={model} rivals={growth.classes.filter((c) => !c.named)} />
    </>
  );
}

function LawsTable({
  growth,
  named,
  law,
  here,
}: Omit<LawsProps, 'model'> & { growth: GrowthModel; named: GrowthSupport[] }) {
  const sums = law?.parts.length === 1 ? law.parts[0]?.sums : undefined;
  const at = (name: string) => {
    const sum = sums?.find((s) => s.class === name) ?? (sums?.length === 1 ? sums[0] : undefined);
    const cost = sum && here ? sumsAt([{ ...sum, weight: 1 }], [here.at]) : null;
    return cost === null ? '–' : number.cost(cost, 2);
  };
  return (
    <Table
      label="growth classes"
      kind="classes"
      heads={[
        'law',
        'support',
        <>at {givenText()}</>,
        <span title="typical distance of the costs from it">scatter</span>,
      ]}
      numeric={[2, 3]}
    >
      {named.map((c) => (
        <tr key={c.class} title={visible(c.formula)}>
          <th scope="row">
            <ClassText text={c.class} />
          </th>
          <td>
            <svg class="meter" width={METER} height="8" aria-hidden="true">
              <rect width={Math.max(METER * c.support, 1)} height="8" />
            </svg>{' '}
            {supportText(c.support)}
          </td>
          <td class="number">{at(c.class)}</td>
          <td class="number soft">{spread(c.spread)}</td>
        </tr>
      ))}
      {named.length > 1 && (
        <tr class="whole">
          <th scope="row">the law</th>
          <td class="soft">their average</td>
          <td class="number">{here?.estimate ? number.cost(here.estimate.cost, 2) : '–'}</td>
          <td class="soft">{growth.points} points</td>
        </tr>
      )}
    </Table>
  );
}

/** Of a ratio: percent where it is small. */
function spread(value: number): string {
  return value < 1e-6 ? '0' : `${number.significant(value * 100, 2)}\u00a0%`;
}

/** What the verdict does not name, and the models of plain shape. */
function Others({ model, rivals }: { model: Model; rivals: GrowthSupport[] }) {
  const { power_law: power, linear, feature } = model;
  if (rivals.length === 0 && !power && !linear) return null;
  const shown = rivals.slice(0, 3).map((c) => c.class);
  const more = rivals.length - shown.length + Number(power !== null) + Number(linear !== null);
  return (
    <details class="ruled-out">
      <summary>
        Ruled out or beside it:{' '}
        <ClassText text={[...shown, `${shown.length > 0 ? 'and ' : ''}${more} more`].join(', ')} />
      </summary>
      <ul>
        {rivals.map((c) => (
          <li key={c.class}>
            <ClassText text={visible(c.formula).slice(0, 300)} />{' '}
            <span class="soft">
              (support {supportText(c.support)}, scatter {spread(c.spread)})
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

const COMMAND = 'trend-prof run --until-decided';

/** Which runs would tell more. */
export function Decide({ next }: { next: NonNullable<Model['next']> }) {
  return (
    <>
      <h2>What would decide it</h2>
      <p>
        <bdi>{visible(next.message)}</bdi>.
      </p>
      {hasRuns() && (
        <p class="act wrap">
          <code class="line">{COMMAND}</code>
          <CopyButton label="Copy command" text={() => COMMAND} />
        </p>
      )}
    </>
  );
}
