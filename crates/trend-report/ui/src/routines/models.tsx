/** The fits of a routine's worst, average and best cost side by side, with what they rest on. */

import { estimate } from '../data/models';
import type { SeriesExtra, SeriesRow } from '../data/types';
import * as number from '../format/number';
import { ModelCells, ModelHeads, NumberHead } from '../view/model-cells';
import { EstimateText, Section, Doubts } from '../view/parts';
import { COSTS } from './controls';

export function RoutineModels({ row, extra }: { row: SeriesRow; extra: SeriesExtra }) {
  const largest = extra.observations[extra.observations.length - 1]?.[0] ?? 0;
  const doubts = COSTS.flatMap((c) =>
    (row[c].models[0]?.doubts ?? []).map((d) => ({ ...d, message: `${c}: ${d.message}` })),
  );
  return (
    <Section title="Models">
      <div class="scroll" tabIndex={0} role="region" aria-label="Models">
        <table>
          <thead>
            <tr>
              <th scope="col">cost</th>
              <ModelHeads points="sizes" />
              <NumberHead>zeros left out</NumberHead>
              <th scope="col">
                a + b·n<sup>c</sup>
              </th>
              <NumberHead>at {number.size(10 * largest)}</NumberHead>
            </tr>
          </thead>
          <tbody>
            {COSTS.map((c) => {
              const { models, offset_power: offset } = row[c];
              const [model, own] = [models[0], extra[c][0]];
              const law = model?.power_law;
              if (!model) return null;
              return (
                <tr key={c}>
                  <th scope="row">{c}</th>
                  <ModelCells model={model} feature="n" />
                  <td class="number">{law ? law.ignored_zeros.toLocaleString('en-US') : '–'}</td>
                  <td>
                    {offset ? (
                      <span class="formula">
                        {number.significant(offset.a, 3)} {offset.b < 0 ? '−' : '+'}{' '}
                        {number.significant(Math.abs(offset.b), 3)}·n
                        <sup>{number.exponent(offset.c, null)}</sup>{' '}
                        <span class="soft">(R² {number.r2(offset.r2)})</span>
                      </span>
                    ) : (
                      '–'
                    )}
                  </td>
                  <td class="number">
                    <EstimateText estimate={estimate(model, own, 10 * largest)} />
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <Doubts doubts={doubts} />
    </Section>
  );
}
