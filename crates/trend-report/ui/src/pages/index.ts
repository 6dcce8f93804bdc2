/** All pages, in the order of the bar. */

import type { FunctionComponent } from 'preact';

import { page } from '../state/store';
import { Compare } from './compare';
import { Cluster, FunctionPage } from './row';
import { Clusters, Functions } from './rows';
import { Method } from './method';
import { Overview } from './overview';
import { Routines } from './routines';
import { Source } from './source';
import { Runs } from './runs';

export interface PageEntry {
  /** The first word of the address. */
  view: string;
  title: string;
  component: FunctionComponent<{ id: string }>;
  /** Whether the bar names it; by default it does. */
  inBar?: () => boolean;
  /** The entry of the bar that is marked while this page is shown. */
  parent?: string;
}

const no = () => false;

/** Lines have costs also where the page does not carry their text. */
const hasFiles = () =>
  page.value.data.sources.length > 0 ||
  page.value.findings.clusters.some((c) => c.members.some((m) => m.file !== ''));

export const PAGES: PageEntry[] = [
  { view: 'overview', title: 'Overview', component: Overview },
  { view: 'functions', title: 'Functions', component: Functions },
  { view: 'function', title: 'Function', component: FunctionPage, inBar: no, parent: 'functions' },
  { view: 'clusters', title: 'Clusters', component: Clusters, inBar: no, parent: 'functions' },
  { view: 'cluster', title: 'Cluster', component: Cluster, inBar: no, parent: 'functions' },
  {
    view: 'routines',
    get title() {
      return page.value.seriesTitle || 'Routines';
    },
    component: Routines,
    inBar: () => (page.value.findings.series ?? []).length > 0,
  },
  { view: 'source', title: 'Source', component: Source, inBar: hasFiles },
  {
    view: 'compare',
    title: 'Compare',
    component: Compare,
    inBar: () => page.value.data.compare !== undefined,
  },
  { view: 'workloads', title: 'Runs', component: Runs },
  { view: 'method', title: 'Method', component: Method },
];
