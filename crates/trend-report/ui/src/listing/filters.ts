/** The filters and chips that clusters and functions share. */

import type { Chip, Filter } from '../table/narrow';
import { growthOf, isDubious, isSteep, lawOf, type ModelledRow } from './modelled';

export const MODEL_FILTERS: readonly Filter<ModelledRow>[] = [
  { key: 'path', label: 'Path', kind: 'text', value: (row) => row.file },
  {
    key: 'minshare',
    label: 'Share',
    kind: 'range',
    percent: true,
    hint: 'of any run, at most, in percent',
    value: (row) => row.maxShare,
  },
  {
    key: 'points',
    label: 'Points',
    kind: 'range',
    hint: 'workloads that the law was fitted to',
    value: (row) => lawOf(row)?.points ?? null,
  },
  { key: 'r2', label: 'R²', kind: 'range', hint: 'such as 0.92', value: (row) => lawOf(row)?.r2 ?? null },
  {
    key: 'b',
    label: 'Exponent',
    kind: 'range',
    hint: 'such as 1.5..2',
    value: (row) => lawOf(row)?.b ?? null,
  },
  {
    key: 'a',
    label: 'Coefficient',
    kind: 'range',
    hint: 'a of a·f^b',
    value: (row) => lawOf(row)?.a ?? null,
  },
];

export const MODEL_CHIPS: readonly Chip<ModelledRow>[] = [
  { key: 'costly', label: 'costly', hint: 'ever pass 2 % of a run', keeps: (row) => row.costly },
  { key: 'superlinear', label: 'superlinear', hint: 'certainly grow faster than linear', keeps: isSteep },
  {
    key: 'dubious',
    label: 'dubious',
    hint: 'models not to be relied on: poor, unstable, several trends, warnings',
    keeps: isDubious,
  },
  {
    key: 'undecided',
    label: 'undecided',
    hint: 'growth that the runs do not decide',
    keeps: (row) => growthOf(row)?.decided === false,
  },
];
