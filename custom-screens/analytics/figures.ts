import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { formatListState, withFilters, type ListState } from '../../src/engine/lists/list-state';
import type { ChartData } from '../../src/app/charts/chartData';
import type { Colour } from '../../src/app/charts/colours';

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
