import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { Row } from '../../src/app/layout/Row';
import { formatBytes } from '../../src/engine/field-types/files';
import { isShownPicture } from '../../src/engine/field-types/stored-files';
import { lastOf } from '../../src/engine/values/lookups';
import { acceptAttribute } from '../../src/app/fields/files/acceptAttribute';
import { Icon } from '../../src/app/icons/Icon';
import type { DraftFile } from './draft';
import { LazyFilePreview } from '../evidence/LazyFilePreview';
import type { KeptFile } from './keptFiles';
import { runnerFiles } from './runnerFiles';
import type { Evidence } from './useEvidence';
import * as styles from './runner.module.css';

interface EvidenceOfDraftProps {
  files?: readonly DraftFile[];
  evidence: Evidence;
  disabled: boolean;
  /** The input that lets the person choose files; a key opens it, too. */
  picker: RefObject<HTMLInputElement | null>;
}

const noFiles: readonly DraftFile[] = [];

/** The files that will be stored with the result as a whole, and the button that adds some. */
export function EvidenceOfDraft({ files = noFiles, evidence, disabled, picker }: EvidenceOfDraftProps) {
  const { field, dropStep } = evidence;
  const button = useRef<HTMLButtonElement>(null);
  const wholeTestFiles = useMemo(() => files.filter(({ step }) => step === undefined), [files]);
  if (!field) return null;
  return (
    <div className={styles.evidence} role="group" aria-label="Evidence" data-over={dropStep === 0 || undefined}>
      <div className={styles.panelLine}>
        <span className={styles.panelLabel}>Evidence</span>
        {files.length > 0 && (
          <small className="num">{describeCount(files, wholeTestFiles.length, field.maxItems)}</small>
        )}
      </div>
      <DraftFiles files={wholeTestFiles} {...{ evidence, disabled }} onRemoved={() => button.current?.focus()} />
      <FileInput ref={picker} evidence={evidence} step={0} />
      <div className={styles.evidenceAdd}>
        <Button
          ref={button}
          variant="outlined"
          disabled={disabled}
          startIcon={<Icon name="paperclip" />}
          onClick={() => picker.current?.click()}
        >
          Add files
        </Button>
        <small>
          {dropStep === 0 ? 'Drop them' : `or paste or drop them, each up to ${formatBytes(field.maxBytes)}`}
        </small>
      </div>
      <span role="status" className="unseen">
        {files.length > 0 && describeLast(files)}
      </span>
    </div>
  );
}

function describeCount(files: readonly DraftFile[], wholeTestCount: number, maxItems: number): string {
  const stepFileCount = files.length - wholeTestCount;
  return `${files.length} of ${maxItems}${stepFileCount > 0 ? `, ${stepFileCount} at steps` : ''}`;
}

function describeLast(files: readonly DraftFile[]): string {
  const { name, step } = lastOf(files);
  const stepText = step === undefined ? '' : ` at step ${step}`;
  return `${name}${stepText}, ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
}

interface DraftFilesProps {
  files: readonly DraftFile[];
  evidence: Evidence;
  disabled: boolean;
  /** A file was removed, and with it the button that had the focus. */
  onRemoved: () => void;
}

/** Files that are not stored yet: each can be shown, if it is a picture, and removed. */
export function DraftFiles({ files, evidence, disabled, onRemoved }: DraftFilesProps) {
  const addresses = useAddresses(files);
  const [previewFile, setPreviewFile] = useState<KeptFile>();
  if (files.length === 0) return null;
  const pictures = files.flatMap((file) => {
    const url = addresses.get(file.id);
    return url && isShownPicture(file) ? [{ ...file, url }] : [];
  });
  return (
    <>
      <ul className={styles.evidenceList}>
        {files.map((file) => (
          <Row component="li" sx={{ minWidth: 0, p: 1 }} key={file.id}>
            <Thumb
              file={file}
              address={addresses.get(file.id)}
              onShow={isShownPicture(file) ? () => setPreviewFile(file) : undefined}
            />
            <IconButton
              size="small"
              disabled={disabled}
              aria-label={`Remove ${file.name}`}
              title="Remove"
              onClick={() => {
                evidence.remove(file);
                onRemoved();
              }}
            >
              <Icon name="x" />
            </IconButton>
          </Row>
        ))}
      </ul>
      {previewFile && (
        <LazyFilePreview
          files={pictures}
          first={Math.max(
            0,
            pictures.findIndex(({ id }) => id === previewFile.id),
          )}
          onClose={() => setPreviewFile(undefined)}
        />
      )}
    </>
  );
}

interface FileInputProps {
  ref: RefObject<HTMLInputElement | null>;
  id?: string;
  evidence: Evidence;
  /** The step that the chosen files are added to; 0 is the whole test. */
  step: number;
}

/** Opens the dialog of the system in which files are chosen, when it is clicked. */
export function FileInput({ ref, id, evidence: { field, add }, step }: FileInputProps) {
  return (
    <input
      ref={ref}
      id={id}
      type="file"
      multiple
      hidden
      accept={field && acceptAttribute(field)}
      aria-label={step === 0 ? 'Files' : `Files of step ${step}`}
      onChange={(event) => {
        add([...(event.target.files ?? [])], step);
        // The same file may be chosen again after it was removed.
        event.target.value = '';
      }}
    />
  );
}

interface ThumbProps {
  file: KeptFile;
  /** Undefined while it is read, null if it is no longer there. */
  address: string | null | undefined;
  onShow?: () => void;
}

function Thumb({ file, address, onShow }: ThumbProps) {
  const words = (
    <span>
      <b>{file.name}</b>
      <small>{address === null ? 'No longer kept in this browser' : formatBytes(file.size)}</small>
    </span>
  );
  if (!onShow || !address)
    return (
      <span className={styles.evidenceFile}>
        <span className={styles.evidenceThumb}>
          <Icon name="file" />
        </span>
        {words}
      </span>
    );
  return (
    <button type="button" className={styles.evidenceFile} title={`Show ${file.name}`} onClick={onShow}>
      <img className={styles.evidenceThumb} src={address} alt="" />
      {words}
    </button>
  );
}

/** Addresses under which this page shows files, by id; null for those that are no longer in this browser. */
function useAddresses(files: readonly KeptFile[]): ReadonlyMap<string, string | null> {
  const [addresses, setAddresses] = useState<ReadonlyMap<string, string | null>>(new Map());
  useEffect(() => {
    let isCurrent = true;
    const objectUrls: string[] = [];
    const read = async (file: KeptFile): Promise<[string, string | null]> => {
      const content = await runnerFiles.read(file);
      if (!content || !isCurrent) return [file.id, null];
      const address = URL.createObjectURL(content);
      objectUrls.push(address);
      return [file.id, address];
    };
    void Promise.all(files.map(read)).then((addresses) => {
      if (isCurrent) setAddresses(new Map(addresses));
    });
    return () => {
      isCurrent = false;
      objectUrls.forEach((address) => URL.revokeObjectURL(address));
    };
  }, [files]);
  return addresses;
}
