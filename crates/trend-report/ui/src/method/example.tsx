/** A model read aloud, with the numbers of this study. */

import { sourceText } from '../data/growth-class';
import * as number from '../format/number';
import { visible } from '../format/text';
import { href } from '../state/route';
import { page } from '../state/store';
import { ClassText, Formula, Name } from '../view/parts';
import { memberR2, worked } from './worked';

export function Example() {
  const { findings } = page.value;
  const found = worked(findings);
  if (!found) return <p>No cluster of this study has a model, so there is none to explain by example.</p>;
  const { cluster, model, law, p95, atP95, prediction, lawThere, doubling } = found;
  const feature = <Name text={model.feature} columns={30} />;
  const r2 = memberR2(cluster);
  const class0 = model.growth?.classes[0];
  return (
    <dl class="definitions">
      <dt>cluster</dt>
      <dd>
        <a href={href('cluster', cluster.representative.name)}>
          <Name text={page.value.title(cluster)} columns={60} />
        </a>{' '}
        stands for {number.plural(cluster.members.length, 'location')} whose costs go up and down with its own
        over the {number.plural(findings.workloads.count, 'workload')}: each fits it by a straight line with
        R² above 1 − α = {1 - findings.alpha}
        {r2 && `, here ${number.r2(r2[0])} at least`}.
      </dd>
      <dt>cost</dt>
      <dd>
        In the run where it costs most its locations have {number.cost(cluster.max_cost)}{' '}
        {visible(findings.unit)} together. That is its <em>max cost</em>, and what clusters are ranked by. Of
        the costliest run as a whole, which has {number.cost(findings.total.max_cost)}, it takes{' '}
        {number.share(cluster.share_of_largest)}; of no run more than {number.share(cluster.max_share)}.
      </dd>
      <dt>power law</dt>
      <dd>
        cost = a·{feature}
        <sup>b</sup> with a ={' '}
        {number.significant(law.a, Math.min(number.supportedDigits(law.a, law.a_ci), 4))}
        {law.a_ci && ` (${number.costInterval(law.a_ci)})`} and b = {number.exponent(law.b, law.b_ci)}
        {law.b_ci && ` (${number.exponentInterval(law.b_ci)})`}: <Formula law={law} feature={model.feature} />
        .
        {p95 !== null && atP95 !== null && (
          <>
            {' '}
            At {feature} = {number.size(p95)}, the 95th percentile of what was run, it says{' '}
            {number.significant(law.a, 4)} × {number.size(p95)}
            <sup>{number.signed(law.b.toFixed(4))}</sup> = {number.cost(atP95)}.
          </>
        )}{' '}
        Twice the {feature} costs 2<sup>{number.exponent(law.b, null)}</sup> ={' '}
        {number.significant(doubling, 3)} times as much.
      </dd>
      <dt>R²</dt>
      <dd>
        {number.r2(law.r2)} of the variation of log cost is explained by log {feature}, over{' '}
        {number.plural(law.points, 'point')} at {number.plural(law.sizes, 'size')}, the largest{' '}
        {number.significant(law.span, 3)} times the smallest.
        {law.ignored_zeros > 0 &&
          ` ${number.plural(law.ignored_zeros, 'workload')} in which it did not run are left out.`}
      </dd>
      {model.growth && (
        <>
          <dt>growth verdict</dt>
          <dd>
            <strong>{visible(model.growth.verdict)}</strong>.{' '}
            {class0 && (
              <>
                The class that the evidence supports best is <ClassText text={class0.class} />, as{' '}
                <bdi>{visible(class0.formula)}</bdi>, with {number.share(class0.support)} of the support and
                residuals of {number.share(class0.spread)}.
              </>
            )}{' '}
            {model.growth.decided
              ? 'It is decided: no other class comes near.'
              : 'It is undecided: the workloads fit the named classes about equally well.'}
          </dd>
        </>
      )}
      {prediction && (
        <>
          <dt>prediction</dt>
          <dd>
            At {feature} = {number.size(prediction.at)}: {number.cost(prediction.cost)}
            {prediction.ci ? `, ${number.costInterval(prediction.ci)}` : ', without an interval'}, from{' '}
            <ClassText text={visible(sourceText(prediction.source, model.growth))} />
            {lawThere !== null &&
              prediction.source !== 'power_law' &&
              `; the power law alone would say ${number.cost(lawThere)}`}
            .
          </dd>
        </>
      )}
    </dl>
  );
}
