import { useMemo } from 'react';
import { chartsFor } from '../../../engine/lists/charts';
import { filterWithFixed } from '../../../engine/lists/tabs';
import { useDefinitions } from '../../data/DefinitionsContext';
import { RecordChart } from '../../charts/RecordChart';
import { useResourceList } from '../ResourceList';
import * as styles from './charts-panel.module.css';

/** The charts of a list, side by side above its records: of those that the list shows, on all of its pages. */
export default function ChartsPanel() {
  const { actor } = useDefinitions();
  const { definition, state, fixedValues: fixedFilter } = useResourceList();
  const charts = useMemo(() => chartsFor(definition, actor), [actor, definition]);
  const filter = useMemo(
    () => filterWithFixed({ filters: state.filters, q: state.q }, fixedFilter),
    [fixedFilter, state.filters, state.q],
  );
  if (charts.length === 0) return null;
  return (
    <section className={styles.listCharts} aria-label={`Charts of ${definition.labels.many}`}>
      {charts.map((chart) => (
        <RecordChart key={chart.name} {...{ definition, chart, filter, state }} className={styles.listChart} />
      ))}
    </section>
  );
}
