/** The verdict: its sentences, each a link to what it is about. */

import { useEffect, useRef } from 'preact/hooks';

import type { Statement } from '../data/types';
import { visible } from '../format/text';
import { placeId } from '../routines/places';
import { href } from '../state/route';
import { page } from '../state/store';
import { ClassText } from '../view/parts';

export function Statements() {
  const { verdict } = page.value.data;
  const list = useRef<HTMLUListElement>(null);
  // Enter at once opens what matters most; a reader who has gone elsewhere is left there.
  useEffect(() => {
    const active = document.activeElement;
    if (active && active !== document.body && active.id !== 'main') return;
    list.current?.querySelector('a')?.focus({ preventScroll: true });
  }, []);
  return (
    <ul class="statements" ref={list}>
      {verdict.map((statement, i) => {
        const to = linkOf(statement);
        const text = (
          <bdi>
            <ClassText text={visible(statement.text)} />
          </bdi>
        );
        return (
          <li key={i} class={statement.kind}>
            {to === null ? text : <a href={to}>{text}</a>}
          </li>
        );
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
