import { PartForm } from '../properties/PartForm';
import { OverlapInputs } from './OverlapInputs';
import * as styles from '../properties/properties.module.css';

/** Rules for whole records, and their import, export and copies. */
export function DataPanel() {
  return (
    <>
      <PartForm pointer="" keys={['validate']} />
      <hr />
      <h3 className={styles.studioPart}>Import</h3>
      <PartForm pointer="" keys={['import']} />
      <hr />
      <h3 className={styles.studioPart}>Export</h3>
      <PartForm pointer="" keys={['export', 'exports']} />
      <hr />
      <h3 className={styles.studioPart}>Printed page</h3>
      <PartForm pointer="" keys={['print']} />
      <hr />
      <h3 className={styles.studioPart}>Public form</h3>
      <PartForm pointer="" keys={['public']} />
      <hr />
      <h3 className={styles.studioPart}>Copies</h3>
      <PartForm pointer="" keys={['copy']} />
      <hr />
      <PartForm pointer="" keys={['unique']} />
      <hr />
      <h3 className={styles.studioPart}>Overlaps</h3>
      <OverlapInputs />
      <hr />
      <PartForm pointer="" keys={['indexes']} />
      <hr />
      <PartForm pointer="" keys={['parameters']} />
    </>
  );
}
