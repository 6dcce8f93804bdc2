/**
 * Inputs of a plot. All coordinates are data values. Values that are not finite, or not above 0 on a logarithmic axis,
 * are left out; the caption says how many.
 */

export interface AxisProps {
  /** Label with the unit: `bytes`, `cost in executions`. */
  label: string;
  /** Initial scale; the reader may switch it. Default `log`. */
  scale?: 'log' | 'linear';
  /** Formats a value for tooltips and tables. Default: a size on x, a cost on y. */
  format?: (value: number) => string;
  /** Formats the label of a tick. Default: the shortest exact text. */
  tick?: (value: number) => string;
  /** Returns custom ticks between two values. Default: linear or logarithmic ticks. */
  ticks?: (lo: number, hi: number) => number[];
  /** Further values that the axis must reach. */
  include?: number[];
}

/** Colours by role: measured points, their law, and other series; `own` takes the colour of the surrounding group. */
type Tone = 'points' | 'fit' | 'second' | 'other' | 'third' | 'own';

export interface PointSeries {
  kind: 'points';
  name: string;
  x: readonly (number | null)[];
  y: readonly (number | null)[];
  /**
   * Identifier of each point (a workload's index): the same in linked plots, and unique within a series. Default: its
   * position.
   */
  ids?: readonly number[];
  /** Returns the name of a point. The plot escapes foreign text. */
  labels?: (id: number) => string;
  /** Returns further lines of the tooltip. */
  detail?: (id: number) => string[];
  /** Returns the hash that a click or Enter on a point opens. */
  open?: (id: number) => string;
  /**
   * Values that colour the points on a scale of five steps from light to strong, with a legend. Default scale: linear.
   */
  value?: readonly (number | null)[] | undefined;
  valueLabel?: string;
  valueScale?: 'log' | 'linear';
  tone?: Tone;
  /** Number of the mark whose shape the points have, instead of `shape`. */
  mark?: number;
  /** Shape of the points. A diamond is predicted; the others are measured. */
  shape?: 'dot' | 'ring' | 'cross' | 'diamond';
  /** True if values are rounded: tooltips, tables and files show `≈`. */
  approximate?: boolean;
  /** True draws a stem from the lower edge to each point, for frequencies. */
  stems?: boolean;
  /** Smallest and largest value at each point, drawn as a bar. */
  ranges?: readonly (readonly [number, number])[];
}

export interface LineSeries {
  kind: 'line';
  name: string;
  points: readonly (readonly [number, number])[];
  dash?: boolean;
  tone?: Tone;
  /** True draws a thin, pale line for comparison; the axes make no room for it. */
  ghost?: boolean;
}

interface RibbonSeries {
  kind: 'ribbon';
  name: string;
  /** Points as `[x, lo, hi]`. */
  points: readonly (readonly [number, number, number])[];
  /** True if the ribbon is a part that cannot be excluded, not an interval: pale, with a dotted edge. */
  dotted?: boolean;
}

export type Series = PointSeries | LineSeries | RibbonSeries;

/** One drawing of a set. */
export interface Figure {
  /** Identifier of letters only, as it is part of keys in the address. */
  id: string;
  title: string;
  /** A sentence that describes the figure, used as caption and by screen readers. */
  summary: string;
  y: AxisProps;
  series: Series[];
  /** A growth badge, or a few words on the figure; stands next to the title of a small figure. */
  note?: import('preact').ComponentChildren;
  /** Height of the drawing in CSS pixels. */
  height?: number;
  /** Text shown instead of an empty drawing. */
  empty?: string;
}

/** A figure with its size axis. */
export interface PlotProps extends Figure {
  x: AxisProps;
  /** Plots with the same `link` share the x-axis and the point that the reader looks at. */
  link: string;
  /** True if the plot is small, in a grid. */
  small?: boolean;
  /** Handles a click or Enter anywhere in the plot, instead of the points' links. */
  open?: () => void;
  /** Handles a drag over a part of the x-axis. */
  onBrush?: (range: readonly [number, number]) => void;
  /** A highlighted part of the x-axis. */
  band?: readonly [number, number] | undefined;
  /** Largest size that was run; the area beyond it is shaded. */
  ahead?: number | undefined;
}
