import { stepsOf } from '../../../src/engine/studio/json';
import { useDraft } from '../draft';
import { errorsOf, isWithin } from '../places';

/** The errors of a place itself, and those of its keys that have no input. */
export function PlaceErrors({ place }: { place: string }) {
  const draft = useDraft();
  const depth = stepsOf(place).length;
  const errors = errorsOf(draft).filter(({ path }) => isWithin(path, place) && stepsOf(path).length <= depth);
  if (errors.length === 0) return null;
  return (
    <ul className="studio-faults" role="alert">
      {errors.map(({ path, message }) => (
        <li key={path + message}>{message}</li>
      ))}
    </ul>
  );
}
