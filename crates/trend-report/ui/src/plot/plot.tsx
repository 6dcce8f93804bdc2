/** One drawing: axes, series, points that arrows step through and Enter opens, what a pointer is at. */

import type { RefObject } from 'preact';
import { useId, useMemo, useRef } from 'preact/hooks';

import { setParams } from '../state/route';
import { Chart } from './chart';
import { isEmpty } from './domain';
import { frameOf, type View } from './frame';
import { useGestures } from './gestures';
import { hits } from './hits';
import { BrushBand, Ring, Tooltip } from './looked';
import { writeRange } from './scale';
import { useWidth } from './state';
import type { PlotProps } from './types';

/** In less the labels of an axis lie on each other. */
const LEAST_HEIGHT = 135;

interface DrawingProps {
  plot: PlotProps;
  view: View;
  /** Where the one that is saved is kept. */
  svg?: RefObject<SVGSVGElement | null>;
}

export function Plot({ plot, view, svg: given }: DrawingProps) {
  const { id, link, title, summary, series } = plot;
  const own = useRef<SVGSVGElement>(null);
  const svg = given ?? own;
  const { ref, width, tall } = useWidth(id);
  const { height: onScreen = 320 } = plot;
  const height = Math.max(Math.round(onScreen * tall), Math.min(onScreen, LEAST_HEIGHT));
  const clip = useId();
  const props: PlotProps = {
    ...plot,
    onBrush: plot.onBrush ?? ((range) => setParams({ [`${link}.zoom`]: writeRange([...range]) }, 'push')),
  };
  const frame = useMemo(
    () => frameOf(plot, view, width, height),
    [series, plot.x, plot.y, width, height, view.x, view.y, view.zoom],
  );
  const all = useMemo(() => hits(series, frame.x, frame.y), [series, frame]);
  const { brush, handlers } = useGestures(props, frame, all, svg, () =>
    setParams({ [`${link}.zoom`]: null }, 'push'),
  );
  const chart = useMemo(
    () => <Chart props={plot} frame={frame} clip={clip} />,
    [series, plot.band, plot.ahead, frame, clip],
  );
  if (isEmpty(series, frame.x.kind, frame.y.kind)) {
    return (
      <div class="drawing" ref={ref}>
        <p class="soft">{plot.empty ?? 'There is no point that these axes can show.'}</p>
      </div>
    );
  }
  return (
    <div class="drawing" ref={ref}>
      <svg
        ref={svg}
        viewBox={`0 0 ${width} ${height}`}
        tabindex={0}
        role="application"
        aria-roledescription="plot"
        aria-label={`${title}. ${summary} Arrow keys step through its points.`}
        {...handlers}
      >
        {chart}
        <Ring props={plot} frame={frame} all={all} />
        <BrushBand brush={brush} frame={frame} />
      </svg>
      <Tooltip props={plot} frame={frame} all={all} />
    </div>
  );
}
