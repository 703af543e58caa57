import { Link } from 'react-router-dom';
import { useDraftPart } from '../draft';
import { errorsInOtherModules } from '../draftPlaces';
import * as styles from './dialogs.module.css';

/** The errors that the draft causes in other modules. */
export function OtherModules() {
  const errors = useDraftPart(errorsInOtherModules);
  if (errors.length === 0) return null;
  return (
    <ul className={styles.studioOthers} aria-label="Errors in other modules">
      {errors.map(({ module: otherModule, path, message }) => (
        <li key={`${otherModule}${path}`}>
          <Link to={`/studio/${otherModule}?${new URLSearchParams({ at: path })}`}>{otherModule}</Link> {message}
        </li>
      ))}
    </ul>
  );
}
