/** Explains every number with examples from this study, and lists the settings and the keys. */

import type { ComponentChildren } from 'preact';

import { plural } from '../format/number';
import { visible } from '../format/text';
import { AllDoubts } from '../overview/states';
import { hrefHere, page } from '../state/state';
import { KeyList } from '../view/keys';
import { Badge, type Pair, Pairs, Section } from '../view/parts';

const PARTS: [id: string, title: string, content: () => ComponentChildren][] = [
  ['doubts', 'Doubts', () => <AllDoubts />],
  ['words', 'Words', () => <Pairs kind="definitions" of={page.value.data.words} />],
  ['marks', 'Marks and colours', () => <Marks />],
  [
    'intervals',
    'Intervals',
    () => (
      <p>
        <bdi>{visible(page.value.data.method)}</bdi>
      </p>
    ),
  ],
  ['settings', 'Settings and versions', () => <Settings />],
  ['keys', 'Keys', () => <KeyList />],
];

export function Method() {
  return (
    <div class="method">
      <h1>Method</h1>
      <nav class="wrap" aria-label="On this page">
        {PARTS.map(([id, title]) => (
          <a key={id} href={hrefHere({})} onClick={(e) => (e.preventDefault(), show(id))}>
            {title}
          </a>
        ))}
      </nav>
      {PARTS.map(([id, title, content]) => (
        <Section key={id} title={title} id={id}>
          {content()}
        </Section>
      ))}
    </div>
  );
}

/** Scrolls to a section. A link cannot do this, because the hash holds the page's address. */
function show(id: string): void {
  const heading = document.getElementById(id)?.querySelector('h2');
  heading?.setAttribute('tabindex', '-1');
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: 'start' });
}

function Marks() {
  return (
    <>
      <p>{visible(page.value.data.legend)}</p>
      <Pairs
        kind="settings"
        of={[
          [
            <Badge text="n^2" warmth={3} open={false} />,
            'a growth class: warmer is faster; grey is at most linear',
          ],
          [<Badge text="n or n log n ?" warmth={1} open />, 'undecided between the named classes'],
          ['≈', 'estimated or rounded'],
          [<span class="doubt">?</span>, 'a number without an interval'],
          ['dashed', 'beyond the largest size that was run'],
          ['▴ ▾ in a heading', 'the column that a table is sorted by'],
        ]}
      />
    </>
  );
}

function Settings() {
  const { data, findings } = page.value;
  const rows: [string, string][] = [
    ['program', findings.program.name],
    ['study', data.study],
    ['revision of the study', data.revision],
    ['folder of the sources', data.root || 'unknown'],
    ['workloads', `${plural(findings.workloads.count, 'workload')}, ${findings.workloads.failed} failed`],
    ['unit of cost', findings.unit],
    ['α (clusters: R² > 1 − α)', String(findings.alpha)],
    ['level of intervals', `${findings.level * 100} %`],
    ['intervals', findings.intervals],
    ['resamples', findings.resamples > 0 ? String(findings.resamples) : 'none'],
    ['seed', String(findings.seed)],
    ['made by', data.generated_by],
    ['format of the findings', findings.schema],
    ['format of the page’s data', data.schema],
  ];
  return (
    <Pairs kind="settings" of={rows.map(([name, value]): Pair => [name, <bdi>{visible(value)}</bdi>])} />
  );
}
