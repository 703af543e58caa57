import Button from '@mui/material/Button';
import { decideAccess } from '../../src/engine/access/access-decision';
import type { Definition } from '../../src/engine/definitions/definition';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Icon } from '../../src/app/icons/Icon';
import { useDownload } from '../../src/app/list/export/useDownload';
import type { TimesheetMonth } from './timesheetApi';
import * as styles from '../../src/app/list/toolbar.module.css';

interface DownloadProps {
  definition: Definition;
  month: string;
  filters: Readonly<Record<string, unknown>>;
  includesEveryone: boolean;
  sheet?: TimesheetMonth;
  /** Shows the icon only. */
  short: boolean;
}

/** Downloads the logs of the timesheet. Hidden if the actor may not list them, disabled if there are none. */
export function Download({ definition, month, filters, includesEveryone, sheet, short }: DownloadProps) {
  const { actor } = useDefinitions();
  const { progress, start } = useDownload();
  const { export: spreadsheet } = definition;
  if (!spreadsheet || !decideAccess(actor, definition, 'list').allowed) return null;
  const words = progress ? 'Downloading…' : 'Download Excel';
  const run = () => {
    const query = new URLSearchParams({
      start: month,
      ...(!includesEveryone && { user_id: String(actor.id) }),
    });
    for (const [name, id] of Object.entries(filters)) query.set(name, String(id));
    start(`/${spreadsheet.path}?${query}`);
  };
  return (
    <Button
      variant="outlined"
      className={short ? styles.listSquare : undefined}
      startIcon={short ? undefined : <Icon name="download" />}
      title={words}
      aria-busy={progress !== null}
      aria-label={short ? words : undefined}
      disabled={sheet?.logs.length === 0}
      onClick={run}
    >
      {short ? (
        <Icon name="download" />
      ) : (
        <span className={styles.listLabel} aria-live="polite">
          {words}
        </span>
      )}
    </Button>
  );
}
