/** The fits of a routine's costs side by side, with what they rest on; opened by who asks, but for their doubts. */

import { estimate } from '../data/models';
import type { SeriesExtra, SeriesRow } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { Doubts, EstimateText, Exponent, Formula, GrowthBadge } from '../view/parts';
import { Table } from '../view/table';
import { COSTS, type Cost } from './choices';

const ALL = [...COSTS, 'own'] as const;

/** `which`: the cost whose law is looked at. */
export function RoutineModels({ row, extra, which }: { row: SeriesRow; extra: SeriesExtra; which: Cost }) {
  const largest = extra.observations[extra.observations.length - 1]?.[0] ?? 0;
  const doubts = row[which]?.models[0]?.doubts ?? [];
  return (
    <details class="words">
      <summary>
        Evidence for the law, and the laws of other costs
        {doubts.length > 0 && <span class="doubt"> · {number.plural(doubts.length, 'doubt')}</span>}
      </summary>
      {extra[which][0]?.sentences.map((sentence, i) => (
        <p key={i}>{visible(sentence)}</p>
      ))}
      <Table
        label="Models"
        heads={[
          ...['cost', 'growth', 'power law', 'exponent', 'R²', 'sizes', 'zeros left out'],
          <>
            a + b·n<sup>c</sup>
          </>,
          `at ${number.size(10 * largest)}`,
        ]}
        numeric={[4, 5, 6, 8]}
      >
        {ALL.map((c) => {
          const offset = row[c]?.offset_power;
          const [model, own] = [row[c]?.models[0], extra[c][0]];
          const law = model?.power_law;
          if (!model) return null;
          return (
            <tr key={c}>
              <th scope="row">{c === 'own' ? 'self' : c}</th>
              <td>
                <GrowthBadge growth={model.growth} />
              </td>
              <td>{law ? <Formula law={law} feature="n" /> : '–'}</td>
              <td>
                <Exponent law={law ?? null} />
              </td>
              <td class="number">{law ? number.r2(law.r2) : '–'}</td>
              <td class="number">{law ? number.grouped(law.points) : '–'}</td>
              <td class="number">{law ? number.grouped(law.ignored_zeros) : '–'}</td>
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
      </Table>
      <Doubts doubts={doubts} />
    </details>
  );
}
