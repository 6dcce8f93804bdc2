/** Above the code: hot lines, searching, which line. */

import { useSignal } from '@preact/signals';

import { setParams } from '../state/route';
import { askedLine, nextLine, type Match } from './search';

interface ToolbarProps {
  lines: number;
  hot: number[];
  line: number | null;
  query: string;
  matches: Match[];
  /** Position in `matches`. */
  at: number;
  go: (at: number) => void;
}

export function Toolbar({ lines, hot, line, query, matches, at, go }: ToolbarProps) {
  const draft = useSignal<string | null>(null);
  const type = (typed: string) => {
    draft.value = typed;
    const asked = askedLine(typed, lines);
    if (asked !== null) setParams({ line: asked });
    else if (!typed.startsWith(':')) setParams({ find: typed });
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (matches.length > 0) go((at + 1) % matches.length);
  };
  return (
    <div class="tools">
      <div class="group" role="group" aria-label="hot lines">
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
      <form class="find" role="search" onSubmit={submit}>
        <input
          type="search"
          aria-label="find in this file, or :120 for a line"
          placeholder="find, or :line"
          spellcheck={false}
          autocomplete="off"
          value={draft.value ?? query}
          onInput={(e) => type(e.currentTarget.value)}
          onBlur={() => (draft.value = null)}
        />
        {query !== '' && (
          <>
            <button
              type="button"
              aria-label="previous match"
              disabled={matches.length === 0}
              onClick={() => go((at - 1 + matches.length) % matches.length)}
            >
              ‹
            </button>
            <button type="submit" aria-label="next match" disabled={matches.length === 0}>
              ›
            </button>
            <span class="soft" role="status">
              {matches.length === 0 ? 'not found' : `${at + 1} of ${matches.length.toLocaleString('en-US')}`}
            </span>
          </>
        )}
      </form>
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
