import Button from '@mui/material/Button';
import { useDraft } from '../draft';

/** A place that has no inputs of its own here. */
export function Elsewhere() {
  const { place, go } = useDraft();
  return (
    <>
      <p className="studio-hint">
        {place.startsWith('/fields/') ? 'This field is not there any longer.' : 'Choose a field or a part on the left.'}{' '}
        Everything else that a definition can say is written as JSON.
      </p>
      <div>
        <Button variant="outlined" onClick={() => go(place, 'json')}>
          Open the JSON
        </Button>
      </div>
    </>
  );
}
