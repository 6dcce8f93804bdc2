/** What changed between two states of a study, in words. */

import { grouped, plural } from '../format/number';
import type { Findings } from './types';

/** `study grew to 37 runs`. */
export function whatChanged(before: Findings, now: Findings): string {
  const failed = now.workloads.failed > 0 ? `, ${grouped(now.workloads.failed)} failed` : '';
  const runs = plural(now.workloads.count, 'run') + failed;
  if (now.workloads.count > before.workloads.count) return `study grew to ${runs}`;
  if (now.workloads.count < before.workloads.count) return `study shrank to ${runs}`;
  return `study changed: ${runs}, ${plural(now.clusters.length, 'cluster')}`;
}
