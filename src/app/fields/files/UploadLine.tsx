import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { percentOf } from '../../../engine/formats/shares';
import { Icon } from '../../icons/Icon';
import type { Upload } from './useUploads';
import * as styles from './files.module.css';

interface UploadLineProps {
  upload: Upload;
  onCancel: () => void;
  onRetry: () => void;
}

/** A file on its way to the server, or why it did not get there. */
export function UploadLine({ upload, onCancel, onRetry }: UploadLineProps) {
  const { file, share, error } = upload;
  const percent = percentOf(share, 1) ?? 0;
  return (
    <li className={styles.file} data-failed={error !== undefined || undefined}>
      <span className={styles.fileName}>
        <b>{file.name}</b>
        {error === undefined ? (
          <progress className={styles.fileProgress} value={percent} max={100} aria-label={`Uploading ${file.name}`} />
        ) : (
          <span className={styles.fileError}>{error}</span>
        )}
      </span>
      {error !== undefined && (
        <Button variant="text" size="small" onClick={onRetry}>
          Try again
        </Button>
      )}
      <IconButton
        size="small"
        aria-label={error === undefined ? `Cancel the upload of ${file.name}` : `Leave out ${file.name}`}
        title={error === undefined ? 'Cancel' : 'Leave out'}
        onClick={onCancel}
      >
        <Icon name="x" />
      </IconButton>
    </li>
  );
}
