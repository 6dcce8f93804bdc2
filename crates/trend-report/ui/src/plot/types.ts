/**
 * What a plot is given. All coordinates are data values; what is not finite, or not above 0 on a logarithmic axis,
 * is left out of the drawing and said under it.
 */

export interface AxisProps {
  /** With the unit: `bytes`, `cost in executions`. */
  label: string;
  /** How it begins; a reader may switch it. Default `log`. */
  scale?: 'log' | 'linear';
  /** A value for tooltips and tables. Default: a size on x, a cost on y. */
  format?: (value: number) => string;
  /** A tick's label. Default: the shortest that is exact. */
  tick?: (value: number) => string;
  /** Ticks of one's own, for what is neither; else chosen. */
  ticks?: (lo: number, hi: number) => number[];
  /** Values that the axis reaches besides what the series have. */
  include?: number[];
}

/** Colours by role: what was measured, its law, what is beside them; or that of the group that it stands in. */
type Tone = 'points' | 'fit' | 'second' | 'other' | 'third' | 'own';

export interface PointSeries {
  kind: 'points';
  name: string;
  x: readonly (number | null)[];
  y: readonly (number | null)[];
  /** What a point is (a workload's index): the same in linked plots, and unique within a series. Default: its position. */
  ids?: readonly number[];
  /** The name of a point; foreign text is made visible by the plot. */
  labels?: (id: number) => string;
  /** More lines of the tooltip. */
  detail?: (id: number) => string[];
  /** Where a click or Enter on a point leads: a hash. */
  open?: (id: number) => string;
  /** Colours points on a scale of five steps from light to strong, with a legend; `log`: steps of equal ratio. */
  value?: readonly (number | null)[] | undefined;
  valueLabel?: string;
  valueLog?: boolean;
  tone?: Tone;
  /** The shape of whose it is, instead of one of these. */
  mark?: number;
  /** A diamond is what is predicted; others are measured. */
  shape?: 'dot' | 'ring' | 'cross' | 'diamond';
  /** Whether values are rounded: tooltips, tables and files say `≈`. */
  approximate?: boolean;
  /** From the lower edge to each point: how often something is. */
  stems?: boolean;
  /** What each point is a middle of: a bar from the least to the greatest. */
  ranges?: readonly (readonly [number, number])[];
}

export interface LineSeries {
  kind: 'line';
  name: string;
  points: readonly (readonly [number, number])[];
  dash?: boolean;
  tone?: Tone;
  /** Thin and pale, for comparison; the axes make no room for it. */
  ghost?: boolean;
}

interface RibbonSeries {
  kind: 'ribbon';
  name: string;
  /** `[x, lo, hi]` */
  points: readonly (readonly [number, number, number])[];
  /** What cannot be excluded, and not an interval: pale, with a dotted edge. */
  dotted?: boolean;
}

export type Series = PointSeries | LineSeries | RibbonSeries;

/** One drawing of a set. */
export interface Figure {
  /** Letters only: part of keys in the address. */
  id: string;
  title: string;
  /** One whole sentence that says what there is to see; the caption, and what a screen reader says. */
  summary: string;
  y: AxisProps;
  series: Series[];
  /** How it grows, or in few words what is seen: beside the title of a small one. */
  note?: import('preact').ComponentChildren;
  /** Of the drawing in CSS pixels. */
  height?: number;
  /** What is shown instead of an empty drawing. */
  empty?: string;
}

/** A figure over its axis of sizes. */
export interface PlotProps extends Figure {
  x: AxisProps;
  /** Plots with the same `link` share the x axis and the point that is looked at. */
  link: string;
  /** Drawn small, with others beside it. */
  small?: boolean;
  /** What a click or Enter does where there is no point that leads anywhere. */
  open?: () => void;
  /** Takes the part of the x axis that somebody drags over. */
  onBrush?: (range: readonly [number, number]) => void;
  /** A part of the x axis that is marked. */
  band?: readonly [number, number] | undefined;
  /** From here on nothing was run. */
  ahead?: number | undefined;
}
