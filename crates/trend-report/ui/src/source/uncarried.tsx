/** A file without its text: its counted lines by cost, from the findings alone. */

import { cost } from '../format/number';
import { hrefHere } from '../state/route';
import { href } from '../state/route';
import { feature, page } from '../state/store';
import { GrowthBadge, Name } from '../view/parts';
import { shownModel, type LineCost } from './costs';

/** More lines than anybody reads in a table. */
const MOST_LINES = 500;

export function LinesTable({ costs, line }: { costs: LineCost[]; line: number | null }) {
  const rows = costs.toSorted((a, b) => b.cost - a.cost).slice(0, MOST_LINES);
  return (
    <div class="scroll" tabIndex={0} role="region" aria-label="lines by cost">
      <table class="lines">
        <thead>
          <tr>
            <th scope="col" class="number">
              line
            </th>
            <th scope="col" class="number">
              max cost
            </th>
            <th scope="col">growth</th>
            <th scope="col">cluster</th>
            <th scope="col">locations</th>
            <th scope="col">function</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Line key={row.line} row={row} chosen={row.line === line} />
          ))}
        </tbody>
      </table>
      {costs.length > rows.length && (
        <p class="note">
          {(costs.length - rows.length).toLocaleString('en-US')} cheaper lines are not listed.
        </p>
      )}
    </div>
  );
}

function Line({ row, chosen }: { row: LineCost; chosen: boolean }) {
  const [first] = row.clusters;
  const cluster = first === undefined ? undefined : page.value.findings.clusters[first];
  return (
    <tr aria-current={chosen || undefined}>
      <th scope="row" class="number">
        <a href={hrefHere({ line: row.line })}>{row.line}</a>
      </th>
      <td class="number">{row.cost === 0 ? <span class="soft">never</span> : cost(row.cost)}</td>
      <td>
        {first === undefined ? (
          <span class="soft">hardly varies</span>
        ) : (
          <GrowthBadge growth={shownModel(page.value, first, feature.value)?.growth} />
        )}
      </td>
      <td>
        {cluster && (
          <a href={href('cluster', cluster.representative.name)}>
            #{cluster.rank} <Name text={page.value.title(cluster)} columns={40} />
          </a>
        )}
      </td>
      <td>
        <Name
          text={row.locations.slice(0, 4).join(', ') + (row.locations.length > 4 ? ', …' : '')}
          columns={60}
        />
      </td>
      <td>
        <Name text={row.functions[0] ?? ''} columns={40} />
      </td>
    </tr>
  );
}
