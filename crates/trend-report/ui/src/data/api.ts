/** What a trend-prof that serves the page answers; `docs/serve.md` says to which questions. */

import type { Point, Outlook } from './types';

/** `GET /api/revision?since=…` */
export interface RevisionAnswer {
  revision: string;
  state: 'analysing' | 'waiting' | 'ready';
  /** Why there are no findings, or why what is shown is old. */
  message: string | null;
  /** Whether lines can be opened in an editor. */
  editor: boolean;
}

/** `GET /api/points?location=…` or `?cluster=…` */
export interface PointsAnswer {
  revision: string;
  kind: 'location' | 'line' | 'function' | 'cluster';
  name: string;
  /** Exact, in the order of the page's workloads; above 2^53 the last digits are lost in reading. */
  costs: number[];
}

/** `GET /api/predict?feature=…&at=…&others=…`; rows in the order of the findings. */
export interface PredictAnswer {
  revision: string;
  /** With the values of the features that were not given. */
  point: Point;
  total: PredictedCost;
  clusters: (PredictedCost & { name: string })[];
  functions: (PredictedCost & { name: string; file: string })[];
}

/** By the row's law; `null` where nothing can be said. */
export interface PredictedCost {
  outlook: Outlook | null;
}
