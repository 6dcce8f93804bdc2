/**
 * Reads the data from the page's templates, synchronously: scripts at the end of a document run before the document
 * counts as loaded. A screenshot of the loaded page then shows the app and not the static part.
 */

import { gunzipSync, strFromU8 } from 'fflate';

import { extended, rowsOf, type Column } from './columns';
import type { Cluster, Member, PageData, Row, SeriesModel, SeriesRow, Total } from './types';

/** The data as they are written: rows are tables; the table of the total has one row. */
export type WrittenData = PageData & {
  tables: Record<'total' | 'clusters' | 'functions' | 'series', Column>;
};

/** Costs as levels (see `page_data/levels.rs`). */
interface Levels {
  least: number;
  most: number;
  levels: string;
}

/** Returns the data block of this page. */
export const loadData = () =>
  unpack(JSON.parse(strFromU8(bytesIn('template#data', 'has no data block'))) as WrittenData);

/** Returns the text of a source file by its position in `sources`. */
export const loadSource = (index: number) =>
  strFromU8(bytesIn('template.source', 'does not carry this file', index));

/** Returns the bytes of the module. */
export const loadModule = () => bytesIn('template#module', 'has no module');

export function unpack({ tables, findings, ...rest }: WrittenData): PageData {
  const costs = costsOf;
  const [total = findings.total] = rowsOf<Total>(tables.total, { costs });
  const clusters = rowsOf<Cluster>(tables.clusters, { costs, members: named });
  const functions = rowsOf<Row>(tables.functions, { costs });
  const fit = (of: SeriesModel | 'worst', { worst }: SeriesRow) => (of === 'worst' ? worst : of);
  const series = rowsOf<SeriesRow>(tables.series, { average: fit, best: fit, own: fit });
  const loops = findings.loops?.map((loop, i) => extended(loop, { notes: rest.loop_notes?.[i] }));
  return { ...rest, findings: { ...findings, total, clusters, functions, series, loops } };
}

/** Names the members that have no name by file and line. */
function named(members: (Omit<Member, 'name'> & { name?: string })[]): Member[] {
  return members.map((m) => extended(m, { name: m.name ?? `${m.file}:${m.line}` }));
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map(Array.from(DIGITS, (digit, value) => [digit, value]));

function costsOf(costs: number[] | Levels | undefined): number[] | undefined {
  if (costs === undefined || Array.isArray(costs)) return costs;
  const { least, most, levels } = costs;
  const perLevel = Math.log(most / least) / (DIGITS.length ** 2 - 2);
  const count = levels.length / 2;
  const digit = (i: number) => VALUES.get(levels[i] ?? '') ?? 0;
  return Array.from({ length: count }, (_, i) => {
    const level = DIGITS.length * digit(i) + digit(count + i);
    return level === 0 ? 0 : Math.round(least * Math.exp(perLevel * (level - 1)));
  });
}

/** Inflates the bytes in one of the page's templates; `missing` says what a page without it lacks. */
function bytesIn(selector: string, missing: string, index = 0): Uint8Array<ArrayBuffer> {
  const template = document.querySelectorAll<HTMLTemplateElement>(selector)[index];
  if (!template) throw new Error(`the page ${missing}`);
  return gunzipSync(bytesOf(template.content.textContent.trim()));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
