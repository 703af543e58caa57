import Button from '@mui/material/Button';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { localToday } from '../../data/localTime';
import { Icon } from '../../icons/Icon';
import { downloadColumn } from '../api';
import * as styles from './dialogs.module.css';

/** A download of a column's values before they are lost. */
export function ColumnDownload({ name, column }: { name: string; column: string }) {
  const notify = useNotify();
  const [isBusy, setIsBusy] = useState(false);
  const download = () => {
    setIsBusy(true);
    downloadColumn(name, column)
      .catch((error: Error) => notify(error.message, { type: 'error' }))
      .finally(() => setIsBusy(false));
  };
  return (
    <div className={styles.studioCopy}>
      <span>
        Keep a copy of the values first
        <small>{`${column}-${localToday()}.csv`}</small>
      </span>
      <Button
        variant="outlined"
        startIcon={<Icon name="download" />}
        disabled={isBusy}
        aria-label={`Download ${column}`}
        onClick={download}
      >
        Download
      </Button>
    </div>
  );
}
