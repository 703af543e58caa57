import { parsePointer } from '../../../engine/formats/json';
import { useDraftPart } from '../draft';
import { draftErrors, isWithin } from '../draftPlaces';
import * as styles from './properties.module.css';

/** The errors of a place itself, and those of its keys that have no input. */
export function PlaceErrors({ pointer }: { pointer: string }) {
  const depth = parsePointer(pointer).length;
  const errors = useDraftPart((draft) =>
    draftErrors(draft).filter(({ path }) => isWithin(path, pointer) && parsePointer(path).length <= depth),
  );
  if (errors.length === 0) return null;
  return (
    <ul className={styles.studioFaults} role="alert">
      {errors.map(({ path, message }) => (
        <li key={path + message}>{message}</li>
      ))}
    </ul>
  );
}
