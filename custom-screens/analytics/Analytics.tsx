import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo, type ReactNode } from 'react';
import type { Definition } from '../../src/engine/definitions/definition';
import { filterInputs } from '../../src/engine/lists/filter-inputs';
import type { ListState } from '../../src/engine/lists/list-state';
import { filterWithFixed } from '../../src/engine/lists/tabs';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Tiles, type TileData } from '../../src/app/charts/Tiles';
import { useFigures } from '../../src/app/charts/useFigures';
import { usePage } from '../../src/app/layout/page';
import { AppliedFilters } from '../../src/app/list/AppliedFilters';
import { Download } from '../../src/app/list/export/DownloadButton';
import { FiltersButton } from '../../src/app/list/filters/FiltersButton';
import { ResourceListProvider } from '../../src/app/list/ResourceList';
import { noFixedFilter } from '../../src/app/list/useRecords';
import { useListState } from '../../src/app/list/useListState';
import { useRestoredAddress } from '../../src/app/list/useRestoredAddress';
import { useScopedFilter } from '../../src/app/preferences/listScope';
import { FailedState } from '../../src/app/states/FailedState';
import { phone } from '../../src/app/theme/overrides';
import type { Figures } from './figures';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import * as styles from './analytics.module.css';

interface AnalyticsProps {
  title: string;
  /** The resource whose records are counted. */
  resource: string;
  /** The API path that counts them; also the name of this screen. */
  endpoint: string;
  /** Resources that the figures are counted from: a change to them reloads the figures. */
  dependsOn: readonly string[];
  /** Labels of the tiles that are shown while the figures load. */
  tileLabels: readonly string[];
  tile: (key: string, state: ListState, definition: Definition) => Pick<TileData, 'tone' | 'to'>;
  charts: (figures: Figures | undefined, state: ListState, definition: Definition) => ReactNode;
}

/** Tiles and charts about the records that match the list's filters. */
export function Analytics(props: AnalyticsProps) {
  const definition = useDefinitions().registry.getOrThrow(props.resource);
  const returning = useRestoredAddress(props.endpoint);
  usePage({ title: props.title, flat: true });
  return returning ? null : <AnalyticsContent {...props} definition={definition} />;
}

function AnalyticsContent({
  title,
  endpoint,
  dependsOn,
  tileLabels,
  tile,
  charts,
  definition,
}: AnalyticsProps & { definition: Definition }) {
  const { registry, actor } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [state, change] = useListState(definition, endpoint);
  const inputs = useMemo(() => filterInputs(definition, registry, actor), [definition, registry, actor]);
  const fixedFilter = useScopedFilter(definition, state, noFixedFilter);
  const filter = filterWithFixed({ filters: state.filters, q: '' }, fixedFilter);
  const query = Object.keys(filter).length > 0 ? `?filter=${encodeURIComponent(JSON.stringify(filter))}` : '';
  const { data, error, refetch } = useFigures<Figures>(`/${endpoint}${query}`, dependsOn);
  if (error && !data) {
    return (
      <FailedState title="The figures could not be loaded" message={error.message} onRetry={() => void refetch()} />
    );
  }
  const tiles: readonly TileData[] = data
    ? data.tiles.map((figure) => ({ ...figure, ...tile(figure.key, state, definition) }))
    : tileLabels.map((label) => ({ key: label, label }));
  const total = data?.tiles.find(({ key }) => key === 'total')?.count ?? 0;
  return (
    <ResourceListProvider
      {...{ definition, state, change, inputs, isPhone }}
      screen={endpoint}
      view="list"
      fixedValues={fixedFilter}
    >
      <div className={toolbarStyles.listTools} role="toolbar" aria-label={`${title} tools`}>
        <FiltersButton title={`${title} Filters`} />
        {!isPhone && <AppliedFilters />}
        <span className={toolbarStyles.listGrow} />
        <Download total={total} />
      </div>
      {isPhone && <AppliedFilters />}
      <div className={styles.analytics} aria-busy={!data}>
        <Tiles tiles={tiles} label={title} />
        {charts(data, state, definition)}
      </div>
    </ResourceListProvider>
  );
}
