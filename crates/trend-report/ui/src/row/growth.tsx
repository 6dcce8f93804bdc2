/** The growth verdict with its rivals, and the models of plain shape beside it. */

import type { GrowthModel, GrowthSupport, Interval, Model } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { ClassText, Formula, Name } from '../view/parts';
import { supportText } from './shown';

const METER = 84;

export function GrowthTable({ model }: { model: Model }) {
  const { growth } = model;
  if (!growth) return null;
  return (
    <>
      <p class="verdict-line">
        <strong class={growth.decided ? '' : 'undecided-text'}>
          {growth.decided ? 'decided: ' : ''}
          <ClassText text={visible(growth.verdict)} />
        </strong>
        <span class="soft">
          , over {number.plural(growth.points, 'point')}
          {growth.superlinear !== null && `; ${growth.superlinear ? '' : 'not '}faster than linear`}
        </span>
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="growth classes">
        <table class="classes">
          <thead>
            <tr>
              <th scope="col">class</th>
              <th scope="col">support</th>
              <th scope="col" class="number" title="typical distance of the costs from the formula">
                spread
              </th>
              <th scope="col">formula</th>
            </tr>
          </thead>
          <tbody>
            {inOrder(growth).map((c) => (
              <tr key={c.class} class={c.named ? (growth.decided ? 'named' : 'named undecided') : 'rival'}>
                <th scope="row">
                  <ClassText text={c.class} />
                </th>
                <td>
                  <svg class="meter" width={METER} height="10" aria-hidden="true">
                    <rect class="track" width={METER} height="10" />
                    <rect class="level" width={Math.max(METER * c.support, 1)} height="10" />
                  </svg>{' '}
                  {supportText(c.support)}
                </td>
                <td class="number">{spread(c.spread)}</td>
                <td class="formula">
                  <bdi>
                    <ClassText text={visible(c.formula).slice(0, 300)} />
                  </bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

/** What the verdict names, then its rivals, each by falling support. */
function inOrder({ classes }: GrowthModel): GrowthSupport[] {
  return [...classes.filter((c) => c.named), ...classes.filter((c) => !c.named)];
}

/** Of a ratio: percent where it is small. */
function spread(value: number): string {
  return value < 1e-6 ? '0' : `${number.significant(value * 100, 2)}\u00a0%`;
}

/** Power law and linear model with everything that says how far to trust them. */
export function ModelTable({ model }: { model: Model }) {
  const { power_law: power, linear } = model;
  if (!power && !linear) return <p class="soft">No power law and no line describes these costs.</p>;
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="models of plain shape">
      <table>
        <thead>
          <tr>
            <th scope="col">model</th>
            {power && <th scope="col">power law</th>}
            {linear && <th scope="col">line</th>}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row">formula</th>
            {power && (
              <td>
                <Formula law={power} feature={model.feature} />
              </td>
            )}
            {linear && (
              <td class="formula">
                {number.cost(linear.a)} {linear.b < 0 ? '−' : '+'} {number.significant(Math.abs(linear.b), 3)}
                ·
                <Name text={model.feature} columns={20} />
              </td>
            )}
          </tr>
          <tr>
            <th scope="row">{linear ? 'coefficient; offset' : 'coefficient'}</th>
            {power && <Value value={number.significant(power.a, 3)} ci={power.a_ci} print={coefficients} />}
            {linear && <Value value={number.cost(linear.a)} ci={linear.a_ci} print={coefficients} />}
          </tr>
          <tr>
            <th scope="row">{linear ? 'exponent; slope' : 'exponent'}</th>
            {power && (
              <Value
                value={number.exponent(power.b, power.b_ci)}
                ci={power.b_ci}
                print={number.exponentInterval}
              />
            )}
            {linear && (
              <Value value={number.significant(linear.b, 3)} ci={linear.b_ci} print={coefficients} />
            )}
          </tr>
          <tr>
            <th scope="row">R²</th>
            {power && <td>{number.r2(power.r2)}</td>}
            {linear && <td>{number.r2(linear.r2)}</td>}
          </tr>
        </tbody>
      </table>
      {power && <p class="note">{evidence(model)}</p>}
    </div>
  );
}

interface ValueProps {
  value: string;
  ci: Interval | null;
  print: (ci: Interval) => string;
}

function Value({ value, ci, print }: ValueProps) {
  return (
    <td>
      {value} {ci ? <span class="soft">({print(ci)})</span> : <span class="doubt">no interval</span>}
    </td>
  );
}

function evidence({ power_law: power }: Model): string {
  if (!power) return '';
  const zeros =
    power.ignored_zeros > 0
      ? `; ${number.plural(power.ignored_zeros, 'workload')} with a cost or a size of zero left out`
      : '; no zeros left out';
  const span = power.span > 1 ? `, the largest ${number.significant(power.span, 2)} times the smallest` : '';
  return `The power law is over ${number.plural(power.points, 'point')} at ${number.plural(power.sizes, 'size')}${span}${zeros}.`;
}

function coefficients([lo, hi]: Interval): string {
  return number.joined(number.cost(lo), number.cost(hi));
}
