/** From what a plot is given, and the address, to scales in pixels. */

import { xDomain, yDomain } from './domain';
import { readRange, scale, type Kind, type Scale } from './scale';
import type { PlotProps } from './types';

/** What the address says of a set of figures, as it stands there. */
export interface View {
  x: string | null;
  y: string | null;
  zoom: string | null;
}

export interface Frame {
  width: number;
  height: number;
  x: Scale;
  y: Scale;
}

/** Room for labels around the drawing; small ones leave out what their axes are of. */
const MARGIN = { left: 62, right: 14, top: 24, bottom: 38 };
const SMALL = { left: 46, right: 8, top: 8, bottom: 22 };

export function frameOf(props: PlotProps, view: View, width: number, height: number): Frame {
  const xKind = kindOf(view.x, props.x.scale);
  const yKind = kindOf(view.y, props.y.scale);
  const x = readRange(xKind, view.zoom) ?? xDomain(xKind, props.x, props.series, yKind);
  const y = yDomain(yKind, props.y, props.series, xKind, x);
  const margin = props.small ? SMALL : MARGIN;
  return {
    width,
    height,
    x: scale(xKind, x, [margin.left, Math.max(width - margin.right, margin.left + 10)]),
    y: scale(yKind, y, [height - margin.bottom, margin.top]),
  };
}

export function kindOf(text: string | null, usual: Kind = 'log'): Kind {
  return text === 'log' || text === 'linear' ? text : usual;
}
