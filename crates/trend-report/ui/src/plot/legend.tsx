/** What each mark of a drawing means. */

import { size } from '../format/number';
import { shorten } from '../format/text';
import { ClassText } from '../view/parts';
import { crosses, rings } from './marks';
import { ribbonClass } from './series';
import { steps } from './steps';
import type { PointSeries, Series } from './types';

export function Legend({ series, format = size }: { series: Series[]; format?: (v: number) => string }) {
  const shown = series.filter((s) => s.name !== '');
  const coloured = series.find((s) => s.kind === 'points' && s.value);
  if (shown.length < 2 && !coloured) return null;
  return (
    <ul class="legend wrap">
      {shown.map((s, i) => (
        <li class="wrap" key={i}>
          <Swatch series={s} />
          <bdi>
            <ClassText text={shorten(s.name, 50)} />
          </bdi>
        </li>
      ))}
      {coloured?.kind === 'points' && coloured.value && (
        <li class="wrap">
          {coloured.valueLabel}:
          {steps(coloured.value, coloured.valueLog ?? false).ranges.map(([from, to], i) => (
            <span key={i} class="step">
              <svg width="10" height="12" aria-hidden="true">
                <path class="series dot" style={{ stroke: `var(--step${i})` }} d="M5 7h0" />
              </svg>
              {format(from)}–{format(to)}
            </span>
          ))}
        </li>
      )}
    </ul>
  );
}

function Swatch({ series }: { series: Series }) {
  return (
    <svg width="22" height="12" aria-hidden="true">
      {series.kind === 'ribbon' && <rect class={ribbonClass(series)} x="1" y="1" width="20" height="10" />}
      {series.kind === 'line' && (
        <path
          class={`line ${series.tone ?? 'fit'} ${series.dash ? 'dash' : ''} ${series.ghost ? 'ghost' : ''}`}
          d="M1 6H21"
        />
      )}
      {series.kind === 'points' && <PointSwatch series={series} />}
      {series.kind === 'markers' && (
        <g class="marker fit">
          <path class="diamond" d="M11 1l5 5l-5 5l-5 -5Z" />
        </g>
      )}
    </svg>
  );
}

function PointSwatch({ series: { shape = 'dot', tone = 'points', value } }: { series: PointSeries }) {
  const path = { dot: 'M11 6h0', ring: rings([[11, 6]], 4), cross: crosses([[11, 6]], 3.5) }[shape];
  const style = value ? { stroke: 'var(--step4)' } : {};
  return <path class={`series ${shape} ${value ? '' : tone}`} style={style} d={path} />;
}
