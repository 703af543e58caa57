import { chartsFor } from '../../../engine/lists/charts';
import type { ListState } from '../../../engine/lists/list-state';
import { useDefinitions } from '../../data/DefinitionsContext';
import { RecordChart } from '../../charts/RecordChart';
import { noFixedFilter } from '../../list/useRecords';
import { useScopedFilter } from '../../preferences/listScope';
import type { TileProps } from './ListTile';
import { TileFrame } from './TileFrame';
import * as styles from './pages.module.css';

/** The charts are about no filters. */
const noChoice = { filters: {} };

/** A chart of a definition, about all records of the list. */
export function ChartTile({ tile, definition, tools }: TileProps) {
  const { actor } = useDefinitions();
  // As in its list, whose records the tile counts.
  const filter = useScopedFilter(definition, noChoice, noFixedFilter);
  const chart = chartsFor(definition, actor).find(({ name }) => name === tile.chart);
  if (!chart)
    return (
      <TileFrame title={tile.title || definition.labels.many} tools={tools}>
        <p className={styles.tileNote}>This chart was removed from the module, or is not available to you.</p>
      </TileFrame>
    );
  const state: ListState = { filters: {}, q: '', page: 1, view: null, tab: null, sort: definition.list.sort };
  const titledChart = tile.title ? { ...chart, label: tile.title } : chart;
  return <RecordChart {...{ definition, state, filter }} chart={titledChart} actions={tools} />;
}
