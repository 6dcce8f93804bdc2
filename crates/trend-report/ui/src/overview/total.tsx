/** The whole program: its growth, what it costs at the target, and what is doubtful of that. */

import { functionId } from '../data/page';
import type { Parts } from '../data/types';
import { shown, totalEstimate } from '../data/predict';
import { visible } from '../format/text';
import { href } from '../state/route';
import { page } from '../state/store';
import { pointText, target } from '../state/target';
import { Doubts, EstimateText, GrowthText, LawText, Name } from '../view/parts';

export function Total() {
  const { findings, data } = page.value;
  const found = shown(findings.total, data.total);
  if (!found) return null;
  const { model, joint } = found;
  const parts = findings.total.parts?.find((p) => p.feature === model.feature);
  return (
    <div class="total">
      <p>
        <b>The whole program</b> <GrowthText row={{ outlook: found, extra: data.total }} />{' '}
        <LawText text={findings.total.law?.formula ?? data.total.formula} most={200} /> · at{' '}
        {pointText(target.value)}: <EstimateText estimate={totalEstimate(target.value)} />
        {parts && !joint && <Sum parts={parts} />}
      </p>
      {!joint && <Doubts doubts={model.doubts} />}
      {!joint && model.next && <p class="next">{visible(model.next.message)}</p>}
    </div>
  );
}

/** What the prediction adds up, each part with the way to it. */
function Sum({ parts }: { parts: Parts }) {
  const rows = page.value.findings.functions;
  return (
    <>
      , the sum of{' '}
      {parts.functions.map((name, i) => {
        const row = rows.find((r) => r.name === name && r.file === parts.files[i]);
        const text = <Name text={name} columns={40} />;
        return (
          <span key={i}>
            {row ? <a href={href('function', functionId(row))}>{text}</a> : text}
            {', '}
          </span>
        );
      })}
      and the rest
    </>
  );
}
