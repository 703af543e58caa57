import { useDraftPart } from '../draft';
import { PartForm } from '../properties/PartForm';
import { Columns } from './Columns';
import { Highlight } from './Highlight';
import * as styles from '../properties/properties.module.css';

const rowKeys = [
  ...['rowClick', 'views', 'tree', 'search', 'bulkDelete', 'bulkEdit', 'inlineEdit'],
  ...['emptyText', 'emptyActions', 'actionsWidth'],
];

/** Properties of the list: columns, order, and what users can do in it. */
export function ListPanel() {
  const fallbacks = useDraftPart(({ source }) => ({
    chooseColumns: (source.list?.columns?.length ?? 9) > 3,
    rowClick: source.page ? 'Opens the page of the record' : 'Does nothing',
    empty: `No ${source.labels.many.toLowerCase()} yet.`,
  }));
  return (
    <>
      <h3 className={styles.studioPart}>Columns</h3>
      <Columns />
      <PartForm pointer="/list" keys={['chooseColumns']} fallbacks={fallbacks} />
      <hr />
      <h3 className={styles.studioPart}>Order</h3>
      <PartForm pointer="/list" keys={['sort', 'sortChoices']} />
      <hr />
      <h3 className={styles.studioPart}>Groups and totals</h3>
      <PartForm pointer="/list" keys={['group', 'totals']} />
      <hr />
      <h3 className={styles.studioPart}>Rows</h3>
      <PartForm pointer="/list" keys={rowKeys} fallbacks={fallbacks} />
      <hr />
      <Highlight />
    </>
  );
}
