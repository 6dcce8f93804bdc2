// Fonts for pictures under test. Chromium sees only the DejaVu fonts of an npm package and none of the machine, so
// pictures are the same wherever the tests run.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const here = resolve(new URL('.', import.meta.url).pathname);
const fonts = resolve(here, '../node_modules/dejavu-fonts-ttf/ttf');

const alias = (generic, family) =>
  `  <alias binding="same"><family>${generic}</family><prefer><family>${family}</family></prefer></alias>\n`;

/** Hinting and antialiasing are fixed too, because desktops set their own. */
const rendering = ['antialias:true', 'hinting:false', 'autohint:false']
  .map((setting) => setting.split(':'))
  .map(([name, value]) => `<edit name="${name}" mode="assign"><bool>${value}</bool></edit>`)
  .concat('<edit name="rgba" mode="assign"><const>none</const></edit>')
  .join('');

/** Writes a fontconfig configuration that lists only the package's fonts, and returns its path. */
export function ownFonts(folder) {
  mkdirSync(folder, { recursive: true });
  const file = `${folder}/fonts.conf`;
  writeFileSync(
    file,
    '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig>\n' +
      `  <dir>${fonts}</dir>\n  <cachedir>${folder}/font-cache</cachedir>\n` +
      ['sans-serif', 'system-ui'].map((generic) => alias(generic, 'DejaVu Sans')).join('') +
      alias('serif', 'DejaVu Serif') +
      ['monospace', 'ui-monospace'].map((generic) => alias(generic, 'DejaVu Sans Mono')).join('') +
      `  <match target="pattern">${rendering}</match>\n  <match target="font">${rendering}</match>\n` +
      '</fontconfig>\n',
  );
  return file;
}
