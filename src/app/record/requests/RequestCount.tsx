import type { RequestDefinition, ResourceRecord } from '../../../engine/definitions/definition';
import { formatTotal } from '../../../engine/formats/numbers';
import { useRequestTotal } from './useRequestTotal';
import * as styles from '../record.module.css';

/** The number of records that a request made so far, behind its label. */
export default function RequestCount(props: { request: RequestDefinition; record: ResourceRecord }) {
  const total = useRequestTotal(props.request, props.record);
  if (total === undefined) return null;
  // The space keeps screen readers from joining label and number.
  return (
    <>
      {' '}
      <span className={`${styles.barCount} num`}>{formatTotal(total)}</span>
    </>
  );
}
