import { formatDate, sayDay } from '../../../engine/formats/dates';
import { localToday } from '../../data/localTime';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';
import { LateMark } from './LateMark';

/** The day as people say it; of a record that is late by it, how late. Its tooltip has the whole date. */
function Cell(props: CellProps) {
  const { value } = props;
  if (typeof value !== 'string') return null;
  return (
    <LateMark {...props}>
      <span className={styles.cellText} title={formatDate(value)}>
        {sayDay(value, localToday())}
      </span>
    </LateMark>
  );
}

export default { Cell } satisfies DisplayFacets;
