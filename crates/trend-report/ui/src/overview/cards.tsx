/** The verdict: one card a sentence, with the line of code that it is about and what that will cost. */

import { useEffect, useRef } from 'preact/hooks';

import { shown } from '../data/predict';
import { namesake } from '../data/page';
import type { Cluster, Statement, StatementKind } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { useCodeLine } from '../row/code-line';
import { placeId } from '../routines/places';
import { href } from '../state/route';
import { page } from '../state/store';
import { givenText } from '../state/target';
import { EstimateText, GrowthText, Name } from '../view/parts';
import { costliestThen } from './chart';

const LABELS: Record<StatementKind, string> = {
  dominates: 'Costliest',
  grows: 'Grows fastest',
  steady: 'Steady',
  overtakes: 'Will overtake',
  doubtful: 'Doubtful',
};

export function Cards() {
  const { verdict } = page.value.data;
  const first = useRef<HTMLAnchorElement>(null);
  // Enter at once opens what matters most; a reader who has gone elsewhere is left there.
  useEffect(() => {
    const active = document.activeElement;
    if (!active || active === document.body || active.id === 'main') {
      first.current?.focus({ preventScroll: true });
    }
  }, []);
  let linked = 0;
  return (
    <ul class="cards">
      {verdict.map((statement, i) => {
        const isFirst = linkOf(statement) !== null && linked++ === 0;
        const again = verdict.findIndex((s) => s.kind === statement.kind) < i;
        return <Card key={i} statement={statement} again={again} link={isFirst ? first : undefined} />;
      })}
    </ul>
  );
}

/** The page of what a statement is about. */
function linkOf({ cluster, series }: Statement): string | null {
  if (cluster !== null && page.value.cluster(cluster)) return href('cluster', cluster);
  const row = series === undefined ? undefined : page.value.findings.series?.[series];
  return row ? href('routines', '', { selected: placeId(row) }) : null;
}

interface CardProps {
  statement: Statement;
  /** Whether a card of this kind stands before it. */
  again: boolean;
  link: { current: HTMLAnchorElement | null } | undefined;
}

function Card({ statement, again, link }: CardProps) {
  const { kind, cluster: id } = statement;
  const found = id === null ? null : page.value.cluster(id);
  const to = linkOf(statement);
  const label = kind === 'grows' && again ? 'Grows fast too' : LABELS[kind];
  return (
    <li class={`card ${kind}`}>
      <h3 class="label">{label}</h3>
      <p class="said">
        {to !== null ? (
          <a ref={link} href={to}>
            <bdi>{visible(statement.text)}</bdi>
          </a>
        ) : (
          <bdi>{visible(statement.text)}</bdi>
        )}
      </p>
      {found && kind === 'overtakes' && <Crossing cluster={found.cluster} />}
      {found && <Line cluster={found.cluster} />}
      {found && <Cost cluster={found.cluster} />}
    </li>
  );
}

/** Its rank now and at the target, and the size from which on it is ahead. */
function Crossing({ cluster }: { cluster: Cluster }) {
  const passed = cluster.overtakes.toSorted((a, b) => a.rank - b.rank)[0];
  if (!passed) return null;
  const then = costliestThen().find((row) => row.id === cluster.representative.name)?.rankThen ?? null;
  return (
    <p class="crossing">
      rank <strong>{cluster.rank}</strong> now
      {then !== null && (
        <>
          {' '}
          → <strong>{then}</strong> at {givenText()}
        </>
      )}
      ; crosses at <Name text={passed.feature} columns={24} /> ={' '}
      {number.size(Number(passed.at.toPrecision(2)))}
    </p>
  );
}

function Line({ cluster }: { cluster: Cluster }) {
  const member = namesake(cluster);
  const file = member?.file ?? '';
  const line = member?.line ?? 0;
  const code = useCodeLine(file, line);
  if (!member || file === '' || line < 1) return null;
  return (
    <p class="line">
      <a href={href('source', file, { line })}>
        <Name text={`${file}:${line}`} columns={44} />
      </a>
      {code && (
        <code translate={false} title={code}>
          {code}
        </code>
      )}
    </p>
  );
}

function Cost({ cluster }: { cluster: Cluster }) {
  const extra = page.value.cluster(cluster.representative.name)?.extra;
  const seen = extra ? shown(cluster, extra) : null;
  if (!extra || !seen) return null;
  return (
    <p class="figures wrap">
      <span>
        <GrowthText row={{ outlook: seen, extra }} />
      </span>
      <span>
        at {givenText()}:{' '}
        <strong>
          <EstimateText estimate={seen.estimate} />
        </strong>
      </span>
    </p>
  );
}
