/** One run: what it was given, what it cost, how to run it again. */

import * as number from '../format/number';
import { visible } from '../format/text';
import { hrefHere } from '../state/route';
import { page } from '../state/store';
import { shown } from '../table/column';
import { CopyButton } from '../view/copy';
import { Name } from '../view/parts';
import { offBy, type RunRow } from './runs';

export function RunPanel({ row }: { row: RunRow }) {
  const { info, residual, total } = row;
  const { features } = page.value.findings;
  const facts: [string, string][] = [
    ...features.map((f, i): [string, string] => [f.name, shown(row.features[i], number.size)]),
    ['total cost', shown(total, (v) => v.toLocaleString('en-US'))],
    ['wall time', shown(info.wall_s, number.seconds)],
    ['processor time', shown(info.cpu_s, number.seconds)],
    ['memory', shown(info.peak_rss_bytes, number.bytes)],
    ['times run', info.repetitions.toLocaleString('en-US')],
  ];
  return (
    <section class="run-panel" aria-label="the selected run" aria-live="polite">
      <div class="line wrap">
        <h2>
          <Name text={info.name} columns={90} />
        </h2>
        {info.command !== '' && <CopyButton label="Copy command line" text={() => info.command} />}
        <CopyButton label="Copy name" text={() => info.name} />
        <a href={hrefHere({ selected: null })}>Close</a>
      </div>
      <dl class="wrap">
        {facts
          .filter(([, value]) => value !== '–')
          .map(([key, value]) => (
            <div key={key}>
              <dt>
                <Name text={key} columns={30} />
              </dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      {residual && (
        <p class={residual.outlier ? 'doubt' : 'soft'}>
          Of its total: {offBy(residual)}
          {residual.outlier ? ' – an outlier' : ''}.
        </p>
      )}
      {info.command !== '' && (
        <p>
          <code>{visible(info.command.slice(0, 4000))}</code>
          {info.command.includes('{input}') && (
            <span class="soft"> – {'{input}'} is the file that was made for these parameters.</span>
          )}
        </p>
      )}
    </section>
  );
}
