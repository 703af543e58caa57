import useMediaQuery from '@mui/material/useMediaQuery';
import { useMemo, type ReactNode } from 'react';
import type { Definition } from '../../src/engine/definitions/definition';
import { filterInputs } from '../../src/engine/lists/filter-inputs';
import { filterOf, type ListState } from '../../src/engine/lists/list-state';
import { useDefinitions } from '../../src/app/admin/DefinitionsContext';
import { Tiles, type TileData } from '../../src/app/charts/Tiles';
import { useFigures } from '../../src/app/charts/useFigures';
import { usePage } from '../../src/app/layout/page';
import { AppliedFilters } from '../../src/app/list/AppliedFilters';
import { Download } from '../../src/app/list/export/DownloadButton';
import { FiltersButton } from '../../src/app/list/filters/FiltersButton';
import { useListState } from '../../src/app/list/useListState';
import { useReturning } from '../../src/app/list/useReturning';
import { FailedState } from '../../src/app/states/FailedState';
import { phone } from '../../src/app/theme/parts';
import type { Figures } from './figures';
import '../../src/app/list/list.css';
import './analytics.css';

interface AnalyticsProps {
  title: string;
  /** The resource whose records are counted. */
  resource: string;
  /** The API path that counts them; also the name of this screen. */
  call: string;
  /** Resources that the figures are counted from: a change to them reloads the figures. */
  about: readonly string[];
  /** Labels of the tiles that are shown while the figures load. */
  awaited: readonly string[];
  tile: (key: string, state: ListState, definition: Definition) => Pick<TileData, 'tone' | 'to'>;
  charts: (figures: Figures | undefined, state: ListState, definition: Definition) => ReactNode;
}

/** Tiles and charts about the records that match the list's filters. */
export function Analytics(props: AnalyticsProps) {
  const definition = useDefinitions().registry.need(props.resource);
  const returning = useReturning(props.call);
  usePage({ title: props.title, flat: true });
  return returning ? null : <Counted {...props} definition={definition} />;
}

const noRows: readonly never[] = [];

function Counted({
  title,
  call,
  about,
  awaited,
  tile,
  charts,
  definition,
}: AnalyticsProps & { definition: Definition }) {
  const { registry, actor } = useDefinitions();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [state, change] = useListState(definition, call);
  const inputs = useMemo(() => filterInputs(definition, registry, actor), [definition, registry, actor]);
  const filter = filterOf({ filters: state.filters, q: '' });
  const query = Object.keys(filter).length > 0 ? `?filter=${encodeURIComponent(JSON.stringify(filter))}` : '';
  const { data, error, refetch } = useFigures<Figures>(`/${call}${query}`, about);
  if (error && !data) {
    return (
      <FailedState title="The figures could not be loaded" message={error.message} onRetry={() => void refetch()} />
    );
  }
  const tiles: readonly TileData[] = data
    ? data.tiles.map((one) => ({ ...one, ...tile(one.key, state, definition) }))
    : awaited.map((label) => ({ key: label, label }));
  const total = data?.tiles.find(({ key }) => key === 'total')?.count ?? 0;
  return (
    <>
      <div className="list-tools" role="toolbar" aria-label={`${title} tools`}>
        <FiltersButton {...{ definition, state, change, inputs, isPhone }} title={`${title} Filters`} />
        {!isPhone && <AppliedFilters {...{ definition, state, change, inputs }} rows={noRows} screen={call} />}
        <span className="list-grow" />
        <Download {...{ definition, state, total }} short={isPhone} />
      </div>
      {isPhone && <AppliedFilters {...{ definition, state, change, inputs }} rows={noRows} />}
      <div className="analytics" aria-busy={!data}>
        <Tiles tiles={tiles} label={title} />
        {charts(data, state, definition)}
      </div>
    </>
  );
}
