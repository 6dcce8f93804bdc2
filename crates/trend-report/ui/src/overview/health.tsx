/** Whether the data can carry what is said above them: sizes, zeros, failures, warnings. */

import { significant, size, plural } from '../format/number';
import { visible } from '../format/text';
import { href, hrefHere } from '../state/route';
import { feature, page } from '../state/store';
import { Doubts, Name } from '../view/parts';
import { decades, logBins } from './spread';

const MOST_FEATURES = 50;
const MOST_FAILURES = 20;
const BINS = 12;

export function Health() {
  const { findings } = page.value;
  const { workloads, locations } = findings;
  return (
    <>
      <Doubts doubts={findings.doubts} />
      <p class="facts">
        <a href={href('workloads')}>{plural(workloads.count, 'workload')}</a>
        {workloads.failed > 0 && <span class="doubt">, {plural(workloads.failed, 'run')} failed</span>};{' '}
        {plural(locations.total, 'location')}, {locations.varying.toLocaleString('en-US')} of them vary
        {locations.unstable > 0 && (
          <span class="doubt">
            ; {plural(locations.unstable, 'location')} counted differently when a workload was run again
          </span>
        )}
        .
      </p>
      {findings.features.length > 0 && <Features />}
      <Failures />
    </>
  );
}

function Features() {
  const { findings, data } = page.value;
  return (
    <div class="scroll">
      <table>
        <caption class="hidden">Features</caption>
        <thead>
          <tr>
            <th scope="col">feature</th>
            <th scope="col">workloads by size (logarithmic)</th>
            <th scope="col" class="number">
              from
            </th>
            <th
              scope="col"
              class="number"
              title="the 95th percentile: predictions are made at 2 and 10 times it"
            >
              p95
            </th>
            <th scope="col" class="number">
              to
            </th>
            <th scope="col" class="number">
              decades
            </th>
            <th scope="col">remarks</th>
          </tr>
        </thead>
        <tbody>
          {findings.features.slice(0, MOST_FEATURES).map((f, i) => {
            const span = decades(f.min, f.max);
            return (
              <tr key={f.name} aria-current={f.name === feature.value || undefined}>
                <th scope="row">
                  <a href={hrefHere({ feature: f.name === feature.value ? null : f.name })}>
                    <Name text={f.name} columns={40} />
                  </a>
                </th>
                <td>
                  <Histogram values={data.feature_values[i] ?? []} />
                </td>
                <td class="number">{f.min === null ? '–' : size(f.min)}</td>
                <td class="number">{f.p95 === null ? '–' : size(f.p95)}</td>
                <td class="number">{f.max === null ? '–' : size(f.max)}</td>
                <td class="number">{span === null ? '–' : significant(span, 2)}</td>
                <td>
                  {[
                    f.missing > 0 && `${f.missing} missing`,
                    f.not_positive > 0 && `${f.not_positive} not positive, left out`,
                    f.joins !== undefined && `linear in ${visible(f.joins).slice(0, 60)}`,
                  ]
                    .filter((remark) => remark !== false)
                    .join('; ')}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const WIDTH = 144;
const HEIGHT = 28;

/** How many workloads there are of each size. */
function Histogram({ values }: { values: (number | null)[] }) {
  const bins = logBins(values, BINS);
  if (bins.length === 0) return <span class="soft">no positive values</span>;
  const most = Math.max(...bins);
  const width = WIDTH / bins.length;
  const bars = bins
    .map((count, i) => {
      // A single workload among hundreds is still seen.
      const height = count === 0 ? 0 : Math.max((count / most) * (HEIGHT - 2), 2);
      return `M${(i * width + 1).toFixed(1)} ${HEIGHT}v${(-height).toFixed(1)}h${(width - 2).toFixed(1)}v${height.toFixed(1)}z`;
    })
    .join('');
  const said = bins.filter((count) => count > 0).length;
  return (
    <svg
      class="histogram"
      width={WIDTH}
      height={HEIGHT + 1}
      viewBox={`0 0 ${WIDTH} ${HEIGHT + 1}`}
      role="img"
      aria-label={`${plural(values.length, 'workload')}, in ${said} of ${plural(bins.length, 'bin')}, at most ${most} in one`}
    >
      <path class="bin" d={bars} />
      <path class="axis" d={`M0 ${HEIGHT + 0.5}h${WIDTH}`} />
    </svg>
  );
}

export function Failures() {
  const { failures } = page.value.findings.workloads;
  if (failures.length === 0) return null;
  return (
    <details open={failures.length <= 3}>
      <summary>Runs without counts ({failures.length.toLocaleString('en-US')})</summary>
      <ul>
        {failures.slice(0, MOST_FAILURES).map((f, i) => (
          <li key={i}>
            <Name text={f.name} columns={60} />: <Name text={f.reason} columns={200} />
            {f.stderr_tail?.trim() && <pre>{f.stderr_tail.trim().split('\n').map(visible).join('\n')}</pre>}
          </li>
        ))}
        {failures.length > MOST_FAILURES && <li>and {failures.length - MOST_FAILURES} more</li>}
      </ul>
    </details>
  );
}
