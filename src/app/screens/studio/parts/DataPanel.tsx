import { PartForm } from '../properties/PartForm';
import { OverlapInputs } from './OverlapInputs';
import * as styles from '../properties/properties.module.css';

/** What holds of whole records, and how they come in, go out and are copied. */
export function DataPanel() {
  return (
    <>
      <PartForm at="" keys={['validate']} />
      <hr />
      <h3 className={styles.studioPart}>Import</h3>
      <PartForm at="" keys={['import']} />
      <hr />
      <h3 className={styles.studioPart}>Export</h3>
      <PartForm at="" keys={['export', 'exports']} />
      <hr />
      <h3 className={styles.studioPart}>Printed page</h3>
      <PartForm at="" keys={['print']} />
      <hr />
      <h3 className={styles.studioPart}>Public form</h3>
      <PartForm at="" keys={['public']} />
      <hr />
      <h3 className={styles.studioPart}>Copies</h3>
      <PartForm at="" keys={['copy']} />
      <hr />
      <PartForm at="" keys={['unique']} />
      <hr />
      <h3 className={styles.studioPart}>Overlaps</h3>
      <OverlapInputs />
      <hr />
      <PartForm at="" keys={['indexes']} />
      <hr />
      <PartForm at="" keys={['parameters']} />
    </>
  );
}
