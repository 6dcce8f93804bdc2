/** The growth verdict with its rivals, and the models of plain shape beside it. */

import type { GrowthModel, GrowthSupport, Model } from '../data/types';
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

/** The models of plain shape, besides the classes. */
export function PlainModels({ model }: { model: Model }) {
  const { power_law: power, linear, feature } = model;
  if (!power && !linear) return null;
  return (
    <div>
      <h3>Other models</h3>
      <ul class="models">
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
            line{' '}
            <span class="formula">
              {number.cost(linear.a)} {linear.b < 0 ? '−' : '+'} {number.significant(Math.abs(linear.b), 3)}·
              <Name text={feature} columns={20} />
            </span>{' '}
            <span class="soft">(R² {number.r2(linear.r2)})</span>
          </li>
        )}
      </ul>
    </div>
  );
}
