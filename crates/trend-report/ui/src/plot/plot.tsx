/**
 * A figure: `<Plot id title summary x y series … />`, see `PlotProps` in ./types. Axes that are logarithmic or linear,
 * zoom by dragging and with the keys + − 0, points that arrows step through and Enter opens, the drawing as a table,
 * as SVG, PNG and CSV. All of its state is in the address under the keys `<id>.…`.
 */

import { useId, useMemo, useRef } from 'preact/hooks';

import { visible } from '../format/text';
import { ClassText } from '../view/parts';
import { Chart } from './chart';
import { isEmpty, leftOut } from './domain';
import { frameOf, keys } from './frame';
import { useGestures } from './gestures';
import { hits } from './hits';
import { Legend } from './legend';
import { BrushRectangle, Ring, Tooltip } from './looked';
import { useParam, useWidth } from './state';
import { DataTable } from './table';
import { Toolbar } from './toolbar';
import type { PlotProps } from './types';

export type { PlotProps, Series } from './types';

export function Plot(props: PlotProps) {
  const { id, title, summary, series, height = 320 } = props;
  const key = keys(props);
  const view = {
    x: useParam(key.x),
    y: useParam(key.y),
    zoomX: useParam(key.zoomX),
    zoomY: useParam(key.zoomY),
  };
  const table = useParam(key.table) !== null;
  const { ref, width } = useWidth(id);
  const svg = useRef<SVGSVGElement>(null);
  const clip = useId();
  const frame = useMemo(
    () => frameOf(props, view, width, height),
    [series, props.x, props.y, width, height, view.x, view.y, view.zoomX, view.zoomY],
  );
  const all = useMemo(() => hits(series, frame.x, frame.y), [series, frame]);
  const { brush, handlers } = useGestures(props, frame, all, svg);
  const chart = useMemo(
    () => <Chart props={props} frame={frame} clip={clip} />,
    [series, props.guides, props.band, frame, clip],
  );
  const hidden = leftOut(series, frame.x.kind, frame.y.kind);
  const empty = isEmpty(series, frame.x.kind, frame.y.kind);
  return (
    <figure class={props.small ? 'plot small' : 'plot'}>
      {props.small ? (
        <h3>
          <b>
            <ClassText text={visible(title)} />
          </b>{' '}
          <span>{props.small.note}</span>
        </h3>
      ) : (
        <Toolbar
          props={props}
          frame={frame}
          zoomed={view.zoomX !== null || view.zoomY !== null}
          table={table}
          svg={svg}
        />
      )}
      <div class="drawing" ref={ref}>
        {empty ? (
          <p class="soft">{props.empty ?? 'There is no point that these axes can show.'}</p>
        ) : (
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
            <Ring props={props} frame={frame} all={all} />
            <BrushRectangle brush={brush} frame={frame} />
          </svg>
        )}
        <Tooltip props={props} frame={frame} all={all} />
      </div>
      {!empty && !props.small && <Legend series={series} format={props.x.format} />}
      <figcaption class={props.small ? 'hidden' : undefined}>
        {summary}
        {hidden > 0 &&
          !empty &&
          ` ${hidden.toLocaleString('en-US')} without a place on these axes are not shown.`}
      </figcaption>
      {table && <DataTable props={props} />}
    </figure>
  );
}
