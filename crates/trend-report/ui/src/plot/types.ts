/**
 * What a plot is given. All coordinates are data values; what is not finite, or not above 0 on a logarithmic axis,
 * is left out of the drawing and said under it.
 */

export interface AxisProps {
  /** With the unit: `bytes`, `cost in executions`. */
  label: string;
  /** How it begins; a reader may switch it. Default `log`. */
  scale?: 'log' | 'linear';
  /** Whether there is a log/linear switch. Default true. */
  switchable?: boolean;
  /** A value for tooltips, tables and guides. Default: a size on x, a cost on y. */
  format?: (value: number) => string;
  /** A tick's label. Default: the shortest that is exact. */
  tick?: (value: number) => string;
  /** Ticks of one's own, for what is neither; else chosen. */
  ticks?: (lo: number, hi: number) => number[];
  /** Values that the axis reaches besides what the series have. */
  include?: number[];
}

/** Colours by role; `points` blue, `fit` orange, `second` grey, `doubt` red, `good` green. */
export type Tone = 'points' | 'fit' | 'second' | 'doubt' | 'good';

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
  value?: readonly (number | null)[];
  valueLabel?: string;
  valueLog?: boolean;
  tone?: Tone;
  shape?: 'dot' | 'ring' | 'cross';
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
  /** Thin and pale, for comparison. */
  ghost?: boolean;
  /** Writes the name at the line's end. */
  labelled?: boolean;
  /** Whether the axes make room for it. Default true; ghosts: false. */
  fits?: boolean;
}

export interface RibbonSeries {
  kind: 'ribbon';
  name: string;
  /** `[x, lo, hi]` */
  points: readonly (readonly [number, number, number])[];
  tone?: Tone;
}

/** Markers with error bars: predictions. */
export interface MarkerSeries {
  kind: 'markers';
  name: string;
  points: readonly { x: number; y: number; lo: number | null; hi: number | null; label: string }[];
  tone?: Tone;
}

export type Series = PointSeries | LineSeries | RibbonSeries | MarkerSeries;

/** A thin line across the plot at a value, with a label. */
export interface Guide {
  axis: 'x' | 'y';
  at: number;
  label: string;
}

export interface PlotProps {
  /** Prefix of this plot's keys in the address: `fit.y=linear`, `fit.zy=1,100`, `fit.table=1`. Letters only. */
  id: string;
  /** Plots with the same `link` share the x axis (scale, zoom, extent as far as `include` agrees) and the point that is looked at. Default: `id`. */
  link?: string;
  title: string;
  /** One whole sentence that says what there is to see; the caption, and what a screen reader says. */
  summary: string;
  x: AxisProps;
  y: AxisProps;
  series: Series[];
  guides?: Guide[];
  /** Of the drawing in CSS pixels. Default 320. */
  height?: number;
  /** Buttons and switches of one's own, in the row above the drawing. */
  controls?: import('preact').ComponentChildren;
  /** What is shown instead of an empty drawing. */
  empty?: string;
  /** Drawn as one of several small multiples, whose one toolbar stands elsewhere. */
  small?: {
    /** In few words what is seen, beside the title. */
    note: string;
    /** What a click or Enter does. */
    open: () => void;
  };
  /** Takes the part of the x axis that somebody drags over, instead of a zoom. */
  onBrush?: (range: readonly [number, number]) => void;
  /** A part of the x axis that is marked. */
  band?: readonly [number, number];
}
