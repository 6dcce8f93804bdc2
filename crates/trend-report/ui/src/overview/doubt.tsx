/** What would change the answer most, in one line that opens; the rest stands on the page of the method. */

import { plural } from '../format/number';
import { shorten, visible } from '../format/text';
import { hiddenAtTarget } from '../data/predict';
import type { PageData } from '../data/types';
import { href } from '../state/route';
import { page } from '../state/store';
import { ClassText } from '../view/parts';
import { answer, type Weighed } from './answer';
import { secondsDoubt } from './seconds';

/** As many as are read. */
const MOST = 4;

type Line = PageData['answer']['doubts'][number];

export function Doubt({ named }: { named: Weighed | null }) {
  const about = (d: Line) => d.function === undefined || d.function === named?.candidate.function;
  const all = [...hidden(named), ...page.value.data.answer.doubts.filter(about), ...ofSeconds()];
  const [first] = all;
  if (!first) return null;
  const more = all.length - MOST;
  return (
    <details class="doubt-line">
      <summary>
        <Text text={first.line} />
      </summary>
      <ul>
        {all.slice(0, MOST).map((doubt, i) => (
          <li key={i}>
            <Text text={doubt.more ?? doubt.line} />
          </li>
        ))}
        {more > 0 && (
          <li>
            <a href={href('method')}>{plural(more, 'more doubt')} on Method</a>
          </li>
        )}
      </ul>
    </details>
  );
}

function ofSeconds(): Line[] {
  const whole = answer.value?.whole;
  const line = whole ? secondsDoubt(whole) : null;
  return line === null ? [] : [{ line }];
}

/** What the laws of the named function and of the whole may hide at the target. */
function hidden(named: Weighed | null): Line[] {
  const { findings, data } = page.value;
  const { row, extra } = named ?? {};
  const found = [
    row && extra ? hiddenAtTarget(row, extra, shorten(extra.name ?? row.name, 40)) : null,
    hiddenAtTarget(findings.total, data.total, 'the whole'),
  ];
  return found.flatMap((one) => (one ? [{ line: one.line, more: `${one.line} ${one.way}` }] : []));
}

/** Of functions that many; the page of each has its own. */
const MOST_OF_FUNCTIONS = 20;

/** All of them, about whatever. */
export function AllDoubts() {
  const { doubts } = page.value.data.answer;
  const of = (isOfFunction: boolean) => doubts.filter((d) => (d.function !== undefined) === isOfFunction);
  return (
    <ul class="warnings">
      {[...of(false), ...of(true).slice(0, MOST_OF_FUNCTIONS)].map((doubt, i) => (
        <li key={i}>
          <Text text={doubt.more ?? doubt.line} />
        </li>
      ))}
    </ul>
  );
}

function Text({ text }: { text: string }) {
  return (
    <bdi>
      <ClassText text={visible(text)} />
    </bdi>
  );
}
