import { PartForm } from '../properties/PartForm';
import * as styles from '../properties/properties.module.css';

/** The list as a calendar, as a timeline and as a gallery. */
export function ViewsPanel() {
  return (
    <>
      <h3 className={styles.studioPart}>Calendar</h3>
      <PartForm pointer="/list" keys={['calendar']} />
      <hr />
      <h3 className={styles.studioPart}>Timeline</h3>
      <PartForm pointer="/list" keys={['timeline']} />
      <hr />
      <h3 className={styles.studioPart}>Gallery</h3>
      <PartForm pointer="/list" keys={['gallery']} />
    </>
  );
}
