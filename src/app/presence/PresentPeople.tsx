import { Icon } from '../icons/Icon';
import { Initials } from '../chips/Initials';
import * as styles from './presence.module.css';

/** A person who is present. */
export interface Person {
  readonly id: number;
  readonly name: string;
  /** Shown with a pen instead of a green dot. */
  readonly editing?: boolean;
}

interface PresentPeopleProps {
  people: readonly Person[];
  /** The people and their place, in words. */
  label: string;
  /** How many have a face of their own; the others are a number. */
  maxFaces?: number;
  /** Edge of a face in pixels. */
  size?: number;
}

/** People who are somewhere now, each with a mark. */
export function PresentPeople({ people, label, maxFaces = 4, size = 24 }: PresentPeopleProps) {
  return (
    <span className={styles.presentPeople} role="img" aria-label={label} title={label}>
      {people.slice(0, maxFaces).map(({ id, name, editing }) => (
        <span key={id} className={styles.presentPerson} data-editing={editing || undefined}>
          <Initials {...{ name, size }} />
          {editing && <Icon name="pencil" size={10} />}
        </span>
      ))}
      {people.length > maxFaces && <small>+{people.length - maxFaces}</small>}
    </span>
  );
}
