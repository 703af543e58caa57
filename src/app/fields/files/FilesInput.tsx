import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import {
  use,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
} from 'react';
import type { FieldOf } from '../../../engine/definitions/definition';
import { anyKind, describeAccepted, kindName } from '../../../engine/field-types/file-kinds';
import { formatBytes } from '../../../engine/field-types/files';
import { fileKeyOf, filesIn, isShownPicture, type FileValue } from '../../../engine/field-types/stored-files';
import { moveRow } from '../../../engine/forms/row-edits';
import { itemAt } from '../../../engine/values/lookups';
import { Icon } from '../../icons/Icon';
import { lazyComponent } from '../../states/lazyComponent';
import type { InputProps } from '../fieldType';
import { LockIcon } from '../TextBox';
import { acceptAttribute } from './acceptAttribute';
import { FilesAsChoice } from './FilesAsChoice';
import { UploadLine } from './UploadLine';
import { useUploads, type Upload } from './useUploads';
import * as styles from './files.module.css';

const FilePreview = lazyComponent(() => import('./FilePreview').then((module) => ({ default: module.FilePreview })));

/** A file that was taken out of the list, and where it was. */
interface RemovedFile {
  readonly file: FileValue;
  readonly index: number;
}

/**
 * Several files: chosen, dropped or pasted, and uploaded at once, each with its progress. A stored file opens in a dialog;
 * the handle drags it, and Alt with an arrow moves it. A removed file can be put back until the form is saved. Files that are
 * offered (`FilesAsChoice`) have checkboxes instead.
 */
export function FilesInput({ id, field, value, onChange, readOnly = false, ...props }: InputProps<FieldOf<'files'>>) {
  const { describedBy, invalid, isLocked, required, resource, storedValue, onPending } = props;
  const [announcement, setAnnouncement] = useState('');
  const [isOver, setOver] = useState(false);
  const [draggedIndex, setDraggedIndex] = useState<number | null>(null);
  const [previewIndex, setPreviewIndex] = useState<number | null>(null);
  const [removedFiles, setRemovedFiles] = useRemovedFiles(storedValue);
  const box = useRef<HTMLInputElement>(null);
  const { uploads, add, cancel, retry, set, current } = useUploads({
    field,
    path: `/${resource}/files?field=${encodeURIComponent(field.name)}`,
    value,
    onChange,
    onSpoken: setAnnouncement,
  });
  const files = uploadedIn(value);
  const noteOf = use(FilesAsChoice);
  const offeredFiles = useOfferedFiles(files);
  const listedFiles = noteOf ? offeredFiles : files;
  const isTaken = (file: FileValue) => files.some((takenFile) => isSameFile(takenFile, file));
  const mayAdd = !readOnly && resource !== undefined;
  const isFull = files.length + uploads.length >= field.maxItems;

  useFilesOfValue(value, (newFiles) => {
    set(files);
    add(newFiles);
  });
  usePendingReport(pendingMessage(field, uploads), onPending);
  const move = (fromIndex: number, toIndex: number) => {
    const next = moveRow(current() as never[], fromIndex, toIndex) as unknown as readonly FileValue[];
    if (next === (current() as unknown)) return;
    set(next);
    setAnnouncement(`${itemAt(next, toIndex).name} is now number ${toIndex + 1}.`);
  };
  const remove = (position: number) => {
    const file = itemAt(current(), position);
    set(current().filter((_, index) => index !== position));
    setRemovedFiles((previous) => [...previous, { file, index: position }]);
    setAnnouncement(`${file.name} was removed.`);
  };
  const take = (file: FileValue, isWanted: boolean) => {
    if (isWanted && isFull) return;
    set(offeredFiles.filter((offeredFile) => (isSameFile(offeredFile, file) ? isWanted : isTaken(offeredFile))));
    setAnnouncement(`${file.name} is ${isWanted ? 'taken' : 'left out'}.`);
  };
  const putBack = (removedFile: RemovedFile) => {
    const now = current();
    set([...now.slice(0, removedFile.index), removedFile.file, ...now.slice(removedFile.index)]);
    setRemovedFiles((previous) => previous.filter((item) => item !== removedFile));
    setAnnouncement(`${removedFile.file.name} is back.`);
    box.current?.focus();
  };
  const drag = (event: DragEvent) => {
    if (draggedIndex !== null) return;
    event.preventDefault();
    setOver(event.type === 'dragover' && mayAdd);
    if (event.type === 'drop' && mayAdd) add([...event.dataTransfer.files]);
  };
  const paste = (event: ClipboardEvent) => {
    const pasted = [...event.clipboardData.files];
    if (pasted.length === 0) return;
    event.preventDefault();
    if (mayAdd) add(pasted);
  };

  return (
    <div
      className={styles.files}
      data-picture
      data-over={isOver || undefined}
      data-invalid={invalid || undefined}
      data-locked={readOnly || undefined}
      onDragOver={drag}
      onDragLeave={drag}
      onDrop={drag}
      onPaste={paste}
    >
      {(listedFiles.length > 0 || uploads.length > 0 || removedFiles.length > 0) && (
        <ol>
          {listedFiles.map((file, position) => (
            <FileLine
              key={fileKeyOf(file.url)}
              file={file}
              isReadOnly={readOnly}
              isMovable={!readOnly && !noteOf && files.length > 1}
              note={noteOf?.(file)}
              isTaken={noteOf && isTaken(file)}
              mayTake={!isFull}
              onTake={(isWanted) => take(file, isWanted)}
              isDragged={draggedIndex === position}
              onMove={(steps) => move(position, position + steps)}
              onDrag={() => setDraggedIndex(position)}
              onDragEnd={() => setDraggedIndex(null)}
              onDragOver={(event) => {
                if (draggedIndex === null) return;
                event.preventDefault();
                if (draggedIndex === position) return;
                move(draggedIndex, position);
                setDraggedIndex(position);
              }}
              onOpen={() => setPreviewIndex(position)}
              onRemove={() => remove(position)}
            />
          ))}
          {uploads.map((upload) => (
            <UploadLine key={upload.id} upload={upload} onCancel={() => cancel(upload)} onRetry={() => retry(upload)} />
          ))}
          {removedFiles.map((removedFile) => (
            <li key={fileKeyOf(removedFile.file.url)} className={styles.file} data-removed>
              <span className={styles.fileName}>
                <s>{removedFile.file.name}</s>
              </span>
              <Button variant="text" size="small" autoFocus onClick={() => putBack(removedFile)}>
                Undo
              </Button>
            </li>
          ))}
        </ol>
      )}
      <div className={styles.fileAdd}>
        <input
          ref={box}
          id={id}
          type="file"
          multiple
          className={styles.fileBox}
          accept={acceptAttribute(field)}
          disabled={!mayAdd || isFull}
          autoFocus={props.autoFocus}
          aria-required={required || undefined}
          aria-describedby={describedBy}
          onChange={(event) => {
            add([...(event.target.files ?? [])]);
            // The same file may be chosen again after it was removed.
            event.target.value = '';
          }}
        />
        <Icon name="paperclip" />
        <span>
          {noteOf && offeredFiles.length > 0 && `${files.length} of ${offeredFiles.length} taken. `}
          {hintOf(field, files.length, { mayAdd, isFull })}
        </span>
        {isLocked && <LockIcon />}
        {mayAdd && !isFull && (
          <Button variant="outlined" size="small" tabIndex={-1} onClick={() => box.current?.click()}>
            Choose files
          </Button>
        )}
      </div>
      <span role="status" className={styles.spoken}>
        {announcement}
      </span>
      {previewIndex !== null && listedFiles.length > 0 && (
        <FilePreview
          files={listedFiles}
          first={Math.min(previewIndex, listedFiles.length - 1)}
          onClose={() => setPreviewIndex(null)}
        />
      )}
    </div>
  );
}

/** The files that were taken out of the list; once the form is saved, they are gone. */
function useRemovedFiles(storedValue: unknown) {
  const [removedFiles, setRemovedFiles] = useState<readonly RemovedFile[]>([]);
  const version = JSON.stringify(uploadedIn(storedValue).map(({ url }) => fileKeyOf(url)));
  const [savedVersion, setSavedVersion] = useState(version);
  if (version !== savedVersion) {
    setSavedVersion(version);
    setRemovedFiles([]);
  }
  return [removedFiles, setRemovedFiles] as const;
}

/** All files that the value had, in their order: those that were taken out of it stay where they were. */
function useOfferedFiles(files: readonly FileValue[]): readonly FileValue[] {
  const [offeredFiles, setOfferedFiles] = useState(files);
  const isIn = (list: readonly FileValue[], file: FileValue) => list.some((listedFile) => isSameFile(listedFile, file));
  const newFiles = files.filter((file) => !isIn(offeredFiles, file));
  if (newFiles.length === 0) return offeredFiles;
  // Uploads end in any order, and the value has their own.
  const next = offeredFiles.every((file) => isIn(files, file)) ? files : [...offeredFiles, ...newFiles];
  setOfferedFiles(next);
  return next;
}

const isSameFile = (first: FileValue, second: FileValue) => fileKeyOf(first.url) === fileKeyOf(second.url);

/** Takes the files that come with the value: pasted elsewhere in the form, or those that a new record begins with. */
function useFilesOfValue(value: unknown, take: (files: readonly File[]) => void) {
  const takenFiles = useRef(new WeakSet<File>());
  const takeNew = useEffectEvent((valueFiles: readonly File[]) => {
    const newFiles = valueFiles.filter((file) => !takenFiles.current.has(file));
    newFiles.forEach((file) => takenFiles.current.add(file));
    take(newFiles);
  });
  useEffect(() => {
    const valueFiles = Array.isArray(value) ? value.filter((item): item is File => item instanceof File) : [];
    if (valueFiles.length > 0) takeNew(valueFiles);
  }, [value]);
}

/** Tells the form why it cannot be saved yet, as long as the input is shown. */
function usePendingReport(pending: string | undefined, onPending: InputProps['onPending']) {
  const report = useEffectEvent((message: string | undefined) => onPending?.(message));
  useEffect(() => report(pending), [pending]);
  useEffect(() => () => report(undefined), []);
}

interface FileLineProps {
  file: FileValue;
  isReadOnly: boolean;
  isMovable: boolean;
  isDragged: boolean;
  /** More about it, before its kind and size. */
  note?: string;
  /** Of a file that is offered: whether it is taken. */
  isTaken?: boolean;
  /** Whether it can be taken: the field has room for it. */
  mayTake: boolean;
  onTake: (isWanted: boolean) => void;
  /** Moves it by so many places. */
  onMove: (steps: -1 | 1) => void;
  onDrag: () => void;
  onDragEnd: () => void;
  onDragOver: (event: DragEvent) => void;
  onOpen: () => void;
  onRemove: () => void;
}

/** A stored file, which opens, is downloaded, moved and removed. */
function FileLine(props: FileLineProps) {
  const { file, isReadOnly, isMovable, isDragged, note, isTaken, onTake, onMove, onDrag } = props;
  const onKeyDown = (event: KeyboardEvent) => {
    if (isReadOnly || isTaken !== undefined || !event.altKey || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown'))
      return;
    event.preventDefault();
    onMove(event.key === 'ArrowUp' ? -1 : 1);
  };
  return (
    <li
      className={styles.file}
      data-dragged={isDragged || undefined}
      draggable={!isReadOnly && isTaken === undefined}
      onKeyDown={onKeyDown}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        onDrag();
      }}
      onDragEnd={props.onDragEnd}
      onDragOver={props.onDragOver}
    >
      {isMovable && (
        <IconButton
          size="small"
          className={styles.fileHandle}
          aria-label={`Move ${file.name}: hold Alt and press an arrow key`}
        >
          <Icon name="grip" />
        </IconButton>
      )}
      {isTaken !== undefined && (
        <Checkbox
          checked={isTaken}
          disabled={isReadOnly || (!isTaken && !props.mayTake)}
          onChange={(_, isWanted) => onTake(isWanted)}
          slotProps={{ input: { 'aria-label': `Take ${file.name}` } }}
        />
      )}
      <button type="button" className={styles.fileOpen} onClick={props.onOpen} title={`Show ${file.name}`}>
        <Thumb file={file} />
        <span className={styles.fileName}>
          <b>{file.name}</b>
          <span>{[note, kindName(file.type), formatBytes(file.size)].filter(Boolean).join(' · ')}</span>
        </span>
      </button>
      <IconButton
        size="small"
        component="a"
        href={file.url}
        download={file.name}
        aria-label={`Download ${file.name}`}
        title="Download"
      >
        <Icon name="download" />
      </IconButton>
      {!isReadOnly && isTaken === undefined && (
        <IconButton size="small" aria-label={`Remove ${file.name}`} title="Remove" onClick={props.onRemove}>
          <Icon name="trash" />
        </IconButton>
      )}
    </li>
  );
}

function Thumb({ file }: { file: FileValue }) {
  if (!isShownPicture(file))
    return (
      <span className={styles.fileThumb}>
        <Icon name="file" />
      </span>
    );
  return <img className={styles.fileThumb} src={file.url} alt="" loading="lazy" />;
}

/** The files that the server has; those that a new record begins with are uploaded first. */
const uploadedIn = (value: unknown) => filesIn(value).filter((file) => !(file instanceof File));

/** Why the form cannot be saved yet. */
function pendingMessage({ label }: FieldOf<'files'>, uploads: readonly Upload[]): string | undefined {
  const [firstUpload, ...otherUploads] = uploads;
  if (!firstUpload) return undefined;
  const failed = uploads.find(({ error }) => error !== undefined);
  if (failed) return `${label}: “${failed.file.name}” could not be added. Try again, or leave it out.`;
  return otherUploads.length === 0
    ? `${label}: “${firstUpload.file.name}” is still being uploaded. Wait, or cancel it.`
    : `${label}: ${uploads.length} files are still being uploaded. Wait, or cancel them.`;
}

function hintOf(
  field: FieldOf<'files'>,
  count: number,
  { mayAdd, isFull }: { mayAdd: boolean; isFull: boolean },
): string {
  if (!mayAdd) return count === 0 ? 'No files' : `${count} ${count === 1 ? 'file' : 'files'}`;
  if (isFull) return `There can be no more than ${field.maxItems}.`;
  const kinds = field.accept.includes(anyKind) ? 'files' : describeAccepted(field.accept);
  return `Drop or paste ${kinds}: up to ${field.maxItems}, each of at most ${formatBytes(field.maxBytes)}`;
}
