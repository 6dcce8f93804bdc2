/** From a line to elsewhere: the clipboard, an editor, a forge. */

import { useSignal } from '@preact/signals';

import { hasEditor } from '../data/live';
import { shorten, visible } from '../format/text';
import { CopyButton } from '../view/copy';
import { forgeLink, forgePattern, setForgePattern } from './forge';

export function LineLinks({ file, line }: { file: string; line: number }) {
  const link = forgeLink(forgePattern.value, file, line);
  return (
    <div class="links wrap">
      <CopyButton label="Copy file:line" text={() => `${file}:${line}`} />
      <CopyButton label="Copy link" text={() => location.href} />
      {hasEditor.value && <OpenButton file={file} line={line} />}
      {link !== null && (
        <a href={link} target="_blank" rel="noopener noreferrer">
          Open on {shorten(new URL(link).host, 40)}
        </a>
      )}
      <ForgeSetting />
    </div>
  );
}

/** Asks the trend-prof that serves the page to open an editor; its answer is said where it fails. */
function OpenButton({ file, line }: { file: string; line: number }) {
  const said = useSignal('');
  const open = async () => {
    said.value = '';
    try {
      const answer = await fetch('/api/open', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ file, line }),
      });
      said.value = answer.ok ? 'opened' : `not opened: ${visible((await answer.text()).slice(0, 300))}`;
    } catch {
      said.value = 'not opened: trend-prof no longer serves this page';
    }
  };
  return (
    <span class="copy">
      <button type="button" onClick={() => void open()}>
        Open in editor
      </button>
      <span role="status">{said.value}</span>
    </span>
  );
}

function ForgeSetting() {
  const wrong = forgePattern.value !== '' && forgeLink(forgePattern.value, 'a', 1) === null;
  return (
    <details class="forge">
      <summary>Link to a forge</summary>
      <label>
        address of a line
        <input
          type="url"
          spellcheck={false}
          autocomplete="off"
          placeholder="https://github.com/o/r/blob/main/{file}#L{line}"
          aria-invalid={wrong}
          value={forgePattern.value}
          onInput={(e) => setForgePattern(e.currentTarget.value)}
        />
      </label>
      <p class={wrong ? 'doubt' : 'soft'}>
        {wrong
          ? 'It must begin with https:// or http:// and contain {file}.'
          : '{file} and {line} are filled in; kept in this browser only.'}
      </p>
    </details>
  );
}
