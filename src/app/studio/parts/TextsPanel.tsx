import { normalise } from '../../../engine/normalise/normalise';
import { useDraft } from '../draft';
import { PartForm } from '../properties/PartForm';
import * as styles from '../properties/properties.module.css';

/** The module's texts: titles, success messages, and the questions before deleting. */
export function TextsPanel() {
  const { valid } = useDraft();
  const { titles, toasts, delete: deletion } = normalise(valid.source);
  return (
    <>
      <h3 className={styles.studioPart}>Titles</h3>
      <PartForm pointer="/titles" fallbacks={{ ...titles }} />
      <hr />
      <h3 className={styles.studioPart}>Messages</h3>
      <PartForm pointer="/toasts" fallbacks={{ ...toasts }} />
      <hr />
      <h3 className={styles.studioPart}>Deleting</h3>
      <PartForm pointer="/delete" fallbacks={{ confirm: deletion.confirm }} />
    </>
  );
}
