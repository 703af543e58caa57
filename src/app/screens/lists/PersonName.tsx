import { Initials } from '../../chips/Initials';
import * as styles from './lists.module.css';

/** A person in a row: initials and name. */
export function PersonName({ name }: { name: string }) {
  return (
    <span className={styles.personName}>
      <Initials name={name} />
      <span>{name}</span>
    </span>
  );
}
