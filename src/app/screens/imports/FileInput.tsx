import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useRef, useState, type DragEvent } from 'react';
import { Icon } from '../../icons/Icon';
import * as styles from './imports.module.css';

interface FileInputProps {
  /** The endings of files that can be chosen. */
  endings: readonly string[];
  file: File | null;
  onFile: (file: File | null) => void;
  isBusy: boolean;
  error: string | undefined;
}

/** `214 KB`, `1.2 MB`. */
function formatFileSize(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.max(1, Math.round(bytes / 1024))} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

/** The input for the import's file: chosen in a dialog, or dropped. */
export function FileInput({ endings, file, onFile, isBusy, error }: FileInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [droppedFile] = event.dataTransfer.files;
    if (droppedFile && !isBusy) onFile(droppedFile);
  };
  return (
    <div className={`${styles.importsField} ${styles.importsFile}`}>
      <div className={styles.importsLabel}>
        <label htmlFor="import-file">
          File
          <b aria-hidden="true">*</b>
        </label>
        <Box
          component="span"
          sx={{ ml: 'auto', color: 'var(--t3)', fontWeight: 400, fontSize: 12 }}
          id="import-file-hint"
        >
          {endings.slice(0, -1).join(', ')} or {endings.at(-1)}, up to 5 MB
        </Box>
      </div>
      <div
        className={styles.importsDrop}
        data-over={isOver || undefined}
        data-invalid={error !== undefined || undefined}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <Icon name="upload" />
        <span className={file ? styles.importsName : `${styles.importsName} ${styles.importsNone}`}>
          {file ? file.name : 'Choose a file, or drop it here'}
        </span>
        {file && <span className={`${styles.importsSize} num`}>{formatFileSize(file.size)}</span>}
        <input
          ref={input}
          id="import-file"
          type="file"
          accept={endings.join()}
          required
          disabled={isBusy}
          aria-invalid={error !== undefined}
          aria-describedby={error ? 'import-file-hint import-file-fault' : 'import-file-hint'}
          onChange={(event) => {
            const [chosenFile] = event.target.files ?? [];
            if (chosenFile) onFile(chosenFile);
            // Lets the user choose the same file again after fixing it.
            event.target.value = '';
          }}
        />
        {file && (
          <IconButton
            size="small"
            aria-label="Remove file"
            disabled={isBusy}
            onClick={() => {
              onFile(null);
              input.current?.focus();
            }}
          >
            <Icon name="x" />
          </IconButton>
        )}
      </div>
      {error && (
        <Typography
          component="p"
          variant="caption"
          sx={{ mt: 1, color: 'var(--urgent-t)' }}
          id="import-file-fault"
          role="alert"
        >
          {error}
        </Typography>
      )}
    </div>
  );
}
