import type { ReactNode } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import { Initials } from './Initials';
import * as styles from './chips.module.css';

/** A placeholder for a missing record: muted text, after an empty circle if the resource has avatars. */
export function NoneChip({ definition, children }: { definition?: Definition; children: ReactNode }) {
  return (
    <span className={`${styles.named} ${styles.namedNone}`}>
      {definition?.chip?.shape === 'avatar' && <Initials name="" />}
      <span>{children}</span>
    </span>
  );
}
