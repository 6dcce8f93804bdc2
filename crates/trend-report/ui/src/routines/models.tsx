/** The fits of a routine's worst, average and best cost side by side, with what they rest on. */

import { estimate } from '../data/models';
import type { RoutineExtra, RoutineRow } from '../data/types';
import * as number from '../format/number';
import { EstimateText, Formula, GrowthBadge, Section, Warnings } from '../view/parts';
import { COSTS } from './controls';

export function RoutineModels({ row, extra }: { row: RoutineRow; extra: RoutineExtra }) {
  const largest = extra.tuples[extra.tuples.length - 1]?.[0] ?? 0;
  const warnings = COSTS.flatMap((c) =>
    row[c].warnings.map((w) => ({ ...w, message: `${c}: ${w.message}` })),
  );
  return (
    <Section title="Models">
      <div class="scroll" tabIndex={0} role="region" aria-label="Models">
        <table>
          <thead>
            <tr>
              <th scope="col">cost</th>
              <th scope="col">growth</th>
              <th scope="col">power law</th>
              <th scope="col">exponent</th>
              <th class="number" scope="col">
                R²
              </th>
              <th class="number" scope="col">
                sizes
              </th>
              <th scope="col">
                a + b·n<sup>c</sup>
              </th>
              <th class="number" scope="col">
                at {number.size(10 * largest)}
              </th>
            </tr>
          </thead>
          <tbody>
            {COSTS.map((c) => {
              const model = row[c];
              const { power_law: law, offset_power: offset } = model;
              return (
                <tr key={c}>
                  <th scope="row">{c}</th>
                  <td>
                    <GrowthBadge growth={model.growth} />
                  </td>
                  <td>{law ? <Formula law={law} feature="n" /> : '–'}</td>
                  <td>
                    {law ? number.exponent(law.b, law.b_ci) : '–'}
                    {law?.b_ci && <span class="soft"> ({number.exponentInterval(law.b_ci)})</span>}
                  </td>
                  <td class="number">{law ? number.r2(law.r2) : '–'}</td>
                  <td class="number">
                    {law?.points ?? 0}
                    {law && law.ignored_zeros > 0 && <span class="soft"> + {law.ignored_zeros} zero</span>}
                  </td>
                  <td>
                    {offset ? (
                      <span class="formula">
                        {number.significant(offset.a, 3)} + {number.significant(offset.b, 3)}·n
                        <sup>{offset.c.toFixed(2)}</sup> <span class="soft">(R² {number.r2(offset.r2)})</span>
                      </span>
                    ) : (
                      '–'
                    )}
                  </td>
                  <td class="number">
                    <EstimateText estimate={estimate(model, extra[c], 10 * largest)} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Warnings warnings={warnings} />
    </Section>
  );
}
