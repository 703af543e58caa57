import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useQuery } from '@tanstack/react-query';
import type { Definition } from '../../engine/definitions/definition';
import { formatInstant } from '../../engine/formats/dates';
import { differenceSince } from '../../engine/history/difference';
import { fieldChangesOf } from '../../engine/history/field-changes';
import { fetchHistory } from '../history/fetchHistory';
import { HistoryValues } from '../history/HistoryValues';
import * as styles from './form.module.css';

interface VersionDialogProps {
  /** Of the target. */
  definition: Definition;
  /** The target's id. */
  target: string;
  /** The label of the relation. */
  label: string;
  /** The version that was meant. */
  pin: string;
  onTake?: () => void;
  onClose: () => void;
}

/** The newest changes that are looked at: what is older than these is told as not recorded. */
const mostChanges = 200;

/** The differences between a record and an earlier version of it, from its history. */
export default function VersionDialog({ definition, target, label, pin, onTake, onClose }: VersionDialogProps) {
  const { name } = definition;
  const { data, error } = useQuery({
    queryKey: [name, 'history', target, 'since', pin],
    queryFn: ({ signal }) => fetchHistory(name, target, 0, mostChanges, signal),
    retry: false,
    meta: { quiet: true },
  });
  const changes = data && fieldChangesOf(definition, differenceSince(data.lines, pin));
  return (
    <Dialog open onClose={onClose} maxWidth="md" fullWidth aria-labelledby="target-version">
      <DialogTitle id="target-version">{label}: then and now</DialogTitle>
      <DialogContent>
        {error ? (
          <p>The difference could not be loaded: {error.message}</p>
        ) : !changes ? (
          <p>Loading…</p>
        ) : changes.length === 0 ? (
          <p>Its history does not say what changed: no value that is recorded there differs.</p>
        ) : (
          <div className={styles.versions}>
            {(['old', 'new'] as const).map((side) => (
              <section key={side}>
                <h3>{side === 'old' ? formatInstant(pin) : 'Now'}</h3>
                <HistoryValues changes={changes} side={side} />
              </section>
            ))}
          </div>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" size="large" onClick={onClose}>
          Close
        </Button>
        {onTake && (
          <Button variant="contained" size="large" className={styles.takeVersion} onClick={onTake}>
            Take the new version
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
