/** What is known of the loops around the chosen line. */

import type { LoopRow } from '../data/types';
import * as number from '../format/number';
import { visible } from '../format/text';
import { statusText, tripsText } from './loops';

export function LoopFacts({ loops }: { loops: LoopRow[] }) {
  const [innermost] = loops;
  if (!innermost) return null;
  return (
    <section class="summary loops-said">
      <dl class="facts">
        <dt>trips</dt>
        <dd>
          {tripsText(innermost)}, {statusText(innermost)}
        </dd>
        <dt>an activation</dt>
        <dd>
          O({visible(innermost.o)}), Ω({visible(innermost.omega)})
        </dd>
        <dt>entered</dt>
        <dd>
          {number.cost(innermost.activations)} times, {number.cost(innermost.total)} trips
        </dd>
        {innermost.in_run && (
          <>
            <dt>in a run</dt>
            <dd>
              {innermost.in_run.exact ? '' : '≈ '}
              {visible(innermost.in_run.formula)}
            </dd>
          </>
        )}
        {innermost.inputs.map((input) => (
          <>
            <dt>{visible(input.name)}</dt>
            <dd>
              {input.changes === true && <span class="soft">changes from trip to trip</span>}
              {input.changes !== true && input.least !== undefined && input.greatest !== undefined && (
                <>
                  {input.least} … {input.greatest}
                </>
              )}
              {input.relation && (
                <span class="soft">
                  {' '}
                  {input.relation.exact ? '=' : '≈'} {visible(input.relation.formula)}
                </span>
              )}
            </dd>
          </>
        ))}
      </dl>
    </section>
  );
}
