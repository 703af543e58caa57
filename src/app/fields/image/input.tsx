import Button from '@mui/material/Button';
import { useRef, useState, type ClipboardEvent, type DragEvent, useEffect } from 'react';
import { imageTypes } from '../../../engine/field-types/image';
import { Icon } from '../../icons/Icon';
import type { InputFacets, InputProps } from '../fieldType';
import { LockIcon } from '../TextBox';
import { pictureProblem } from './pictureProblem';
import * as styles from './image.module.css';
import { isFileValue } from '../../../engine/field-types/stored-files';

/** The picture, its name and size; a stored one opens in a new tab. */
function Preview({ value }: { value: unknown }) {
  const local = useObjectUrl(value);
  if (value instanceof File) {
    return (
      <>
        <img className={styles.pictureShot} src={local} alt="" />
        <Caption name={value.name} size={value.size} />
      </>
    );
  }
  if (!isFileValue(value)) return null;
  return (
    <>
      <a href={value.url} target="_blank" rel="noreferrer" aria-label={`Open ${value.name}`}>
        <img className={styles.pictureShot} src={value.url} alt="" />
      </a>
      <Caption name={value.name} size={value.size} />
    </>
  );
}

function Caption({ name, size }: { name: string; size: number }) {
  return (
    <span className={styles.pictureName}>
      <b title={name}>{name}</b>
      <span>{formatFileSize(size)}</span>
    </span>
  );
}

/** Milliseconds in which a picture that is no longer shown may still be loading: its address has to be valid until then. */
const loadingTime = 60_000;

/** An object URL to show a file that is not uploaded yet. */
function useObjectUrl(value: unknown): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!(value instanceof File)) return;
    const objectUrl = URL.createObjectURL(value);
    setAddress(objectUrl);
    return () => void setTimeout(() => URL.revokeObjectURL(objectUrl), loadingTime);
  }, [value]);
  return address;
}

/** `740 B`, `12 kB`, `3.4 MB`. */
function formatFileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/**
 * A picture: selected, dropped or pasted. Other files and files that are too large are rejected with a message before
 * upload.
 */
function Input({ id, field, value, onChange, onProblem, ...props }: InputProps) {
  const { readOnly, isLocked, invalid, describedBy, autoFocus, required } = props;
  const box = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const isFilled = value !== null && value !== undefined && value !== '';

  const accept = (file: File | undefined) => {
    if (!file || readOnly) return;
    const problem = pictureProblem(file, field);
    onProblem?.(problem);
    if (!problem) onChange(file);
  };
  const drag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === 'dragover' && !readOnly);
    if (event.type === 'drop') accept(event.dataTransfer.files[0]);
  };
  const paste = (event: ClipboardEvent) => {
    const [file] = event.clipboardData.files;
    if (!file) return;
    event.preventDefault();
    accept(file);
  };
  return (
    <div
      className={styles.picture}
      data-picture
      data-over={isOver || undefined}
      data-invalid={invalid || undefined}
      data-locked={readOnly || undefined}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={drag}
      onPaste={paste}
    >
      <input
        ref={box}
        id={id}
        type="file"
        className={styles.pictureFile}
        accept={imageTypes.join()}
        disabled={readOnly}
        autoFocus={autoFocus}
        aria-required={required || undefined}
        aria-describedby={describedBy}
        onChange={(event) => {
          accept(event.target.files?.[0]);
          // The same file may be chosen again after it was removed.
          event.target.value = '';
        }}
      />
      {isFilled ? (
        <Preview value={value} />
      ) : (
        <span className={styles.pictureNone}>
          <Icon name="image" />
          {readOnly ? 'No picture' : 'Drop or paste a picture: JPG, PNG or WebP, up to 5 MB'}
        </span>
      )}
      {isLocked && <LockIcon />}
      {!readOnly && (
        <span className={styles.pictureActions}>
          <Button variant="outlined" size="small" onClick={() => box.current?.click()}>
            {isFilled ? 'Replace' : 'Choose a picture'}
          </Button>
          {isFilled && (
            <Button
              variant="text"
              size="small"
              onClick={() => {
                onProblem?.(undefined);
                onChange(null);
              }}
            >
              Remove
            </Button>
          )}
        </span>
      )}
    </div>
  );
}

export default { Input, fileProblem: pictureProblem } satisfies InputFacets;
