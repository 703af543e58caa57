import type { ComponentProps } from 'react';
import * as styles from './menus.module.css';

/** A small icon button. A plain element, because lists have many and MUI's buttons are several times slower. */
export function RowButton(props: ComponentProps<'button'>) {
  return <button type="button" className={styles.rowButton} {...props} />;
}
