import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { formatListState, withFilters, type ListState } from '../../src/engine/lists/list-state';
import type { ChartData, Colour } from '../../src/app/charts/chartData';
import { dayInTimeZone, addDays } from '../../src/engine/formats/dates';
import { useSyncExternalStore } from 'react';

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The date (YYYY-MM-DD) so many days from today in the browser's time zone. */
export function dayFromToday(days: number): string {
  return addDays(dayInTimeZone(zone), days);
}

/** A chart as the server returns it. */
export interface ChartResponse {
  readonly labels: readonly string[];
  readonly series: readonly { readonly key: string; readonly label: string; readonly values: readonly number[] }[];
}

/** The server's counts for one of the screens. */
export interface Figures {
  readonly tiles: readonly { readonly key: string; readonly label: string; readonly count: number }[];
  readonly charts: Readonly<Record<string, ChartResponse>>;
}

/** A chart with its colours: one for each series or, where there is only one series, one for each label. */
export function withColours(chart: ChartResponse | undefined, colours: readonly Colour[]): ChartData | undefined {
  if (!chart) return undefined;
  const hasOneSeries = chart.series.length === 1;
  return {
    labels: chart.labels,
    series: chart.series.map((entry, index) => ({
      ...entry,
      colour: hasOneSeries
        ? chart.labels.map((_, position) => colours[position] ?? 'control')
        : (colours[index] ?? 'control'),
    })),
  };
}

/** The address of the list with the current filters and these additional ones. */
export function filteredListUrl(
  definition: Definition,
  state: ListState,
  filters: ResourceRecord,
  tab?: string,
): string {
  const next = withFilters({ ...state, sort: definition.list.sort, view: 'list', tab: tab ?? null }, filters);
  return `/${definition.name}?${new URLSearchParams(formatListState(next, definition)).toString()}`;
}

/** The height of a doughnut chart for a window's width, in pixels. */
export function ringHeight(width: number): number {
  if (width < 1420) return 220;
  if (width <= 1910) return 250;
  if (width <= 2200) return 300;
  return width <= 2300 ? 350 : 400;
}

function subscribeToResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}

/** The height of a doughnut chart in the current window, in pixels. */
export function useRingHeight(): number {
  return useSyncExternalStore(subscribeToResize, () => ringHeight(window.innerWidth));
}
