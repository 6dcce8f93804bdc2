/** The model in whole sentences, as the terminal says them. */

import { visible } from '../format/text';

/** More than a short paragraph is read by those who ask for it. */
const SHORT = 420;

export function Words({ sentences }: { sentences: string[] }) {
  if (sentences.length === 0) return null;
  const length = sentences.reduce((sum, s) => sum + s.length, 0);
  return (
    <details class="words" open={length <= SHORT}>
      <summary>In words</summary>
      {sentences.map((sentence, i) => (
        <p key={i}>
          <bdi>{visible(sentence)}</bdi>
        </p>
      ))}
    </details>
  );
}
