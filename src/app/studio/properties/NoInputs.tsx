import Button from '@mui/material/Button';
import { useDraft } from '../draft';
import * as styles from './properties.module.css';

/** Shown for places without inputs. */
export function NoInputs() {
  const { pointer, go } = useDraft();
  return (
    <>
      <p className={styles.studioHint}>
        {pointer.startsWith('/fields/') ? 'This field no longer exists.' : 'Choose a field or a part on the left.'} Edit
        all other parts of the definition as JSON.
      </p>
      <div>
        <Button variant="outlined" onClick={() => go(pointer, 'json')}>
          Open the JSON
        </Button>
      </div>
    </>
  );
}
