import { Initials } from '../../layout/Initials';
import './lists.css';

/** A person in a row: initials and name. */
export function PersonName({ name }: { name: string }) {
  return (
    <span className="person-name">
      <Initials name={name} />
      <span>{name}</span>
    </span>
  );
}
