/** Above the code: the way through its hot lines. */

import { setParams } from '../state/route';
import { nextLine } from './hot';

export function Toolbar({ hot, line }: { hot: number[]; line: number | null }) {
  return (
    <div class="tools wrap">
      <div class="group wrap" role="group" aria-label="hot lines">
        <button
          type="button"
          disabled={hot.length === 0}
          onClick={() => jump(hot, line, -1)}
          title="previous hot line (N)"
        >
          ↑
        </button>
        <button
          type="button"
          disabled={hot.length === 0}
          onClick={() => jump(hot, line, 1)}
          title="next hot line (n)"
        >
          ↓
        </button>
        <span class="soft" role="status">
          {place(hot, line)}
        </span>
      </div>
    </div>
  );
}

/** The next hot line, round at the ends. */
export function jump(hot: number[], line: number | null, way: 1 | -1): void {
  const next = nextLine(hot, line ?? 0, way);
  if (next !== null) setParams({ line: next });
}

function place(hot: number[], line: number | null): string {
  if (hot.length === 0) return 'no hot lines';
  const at = line === null ? -1 : hot.indexOf(line);
  return at < 0
    ? `${hot.length} hot ${hot.length === 1 ? 'line' : 'lines'}`
    : `hot line ${at + 1} of ${hot.length}`;
}
