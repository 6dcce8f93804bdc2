/** Curve bounding: the cost divided by a guess of its growth, from a menu or of one's own. */

import { useMemo } from 'preact/hooks';

import { visible } from '../format/text';
import { ALLOWED, GUESSES, parseGuess } from '../plot/expression';
import { Plot } from '../plot/plot';
import { useParam } from '../plot/state';
import { setParams } from '../state/route';
import { course, inWords, quotients, undrawn } from './bounding';
import { quotientSeries, type Figure } from './figures';
import { useSizeAxis } from './plots';

/** The quotient's axis spans at least this factor both ways, so that noise does not look like a trend. */
const QUOTIENT_FLOOR = 1.5;

/** The guess that is looked at by default: what the verdict says. */
function usualGuess({ model }: Figure): string {
  const named = model.growth?.classes.find((c) => c.named)?.class;
  if (named) return named;
  return model.power_law ? `n^${model.power_law.b.toFixed(2)}` : 'n';
}

export function BoundingPlot({ figure }: { figure: Figure }) {
  const usual = usualGuess(figure);
  const text = useParam('guess') ?? usual;
  const parsed = useMemo(() => parseGuess(text), [text]);
  const found = useMemo(() => {
    const guess = parsed.guess ?? (() => NaN);
    const quotient = quotients(figure.x, figure.costs, guess);
    const shown = quotient.filter((q) => q !== null).sort((a, b) => a - b);
    const middle = shown[shown.length >> 1] ?? 1;
    return {
      series: quotientSeries(figure, guess),
      course: course(figure.x, quotient),
      undrawn: parsed.guess ? undrawn(figure.x, figure.costs, guess, text) : [],
      any: shown.length > 0,
      include: [middle / QUOTIENT_FLOOR, middle * QUOTIENT_FLOOR],
    };
  }, [figure, parsed, text]);
  const x = useSizeAxis(figure);
  const y = useMemo(() => ({ label: 'cost ÷ guess', include: found.include }), [found]);
  const menu = GUESSES.includes(usual) ? GUESSES : [...GUESSES, usual];
  const set = (guess: string, step: 'push' | 'replace') =>
    setParams({ guess: guess === usual ? null : guess, 'bound.zy': null }, step);
  const summary = parsed.guess
    ? [
        `The cost divided by ${text}.`,
        ...(found.any ? [inWords(found.course, text)] : []),
        ...found.undrawn,
      ].join(' ')
    : 'There is no guess to divide by.';
  return (
    <Plot
      id="bound"
      link="fit"
      title="Curve bounding"
      summary={summary}
      x={{ ...x, switchable: false }}
      y={y}
      series={found.series}
      height={300}
      empty={parsed.guess ? 'No run has a quotient that can be drawn.' : 'There is nothing to divide by.'}
      controls={
        <>
          <label class="guess">
            cost ÷{' '}
            <select
              aria-label="guess from the menu"
              value={menu.includes(text) ? text : ''}
              onChange={(e) => set(e.currentTarget.value, 'push')}
            >
              {!menu.includes(text) && <option value="">of your own</option>}
              {menu.map((guess) => (
                <option key={guess} value={guess}>
                  {guess}
                </option>
              ))}
            </select>
          </label>
          <input
            type="text"
            size={12}
            maxLength={200}
            autocomplete="off"
            spellcheck={false}
            aria-label="guess of your own"
            aria-invalid={parsed.error !== null}
            title={`${ALLOWED}: such as n^1.5 or n log n + 30`}
            value={text}
            onInput={(e) => set(e.currentTarget.value || ' ', 'replace')}
          />
          {parsed.error !== null && text.trim() !== '' && <span class="doubt">{visible(parsed.error)}</span>}
        </>
      }
    />
  );
}
