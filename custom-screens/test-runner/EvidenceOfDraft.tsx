import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useEffect, useRef, useState } from 'react';
import { formatBytes } from '../../src/engine/field-types/files';
import { isShownPicture } from '../../src/engine/field-types/stored-files';
import { acceptAttribute } from '../../src/app/fields/files/acceptAttribute';
import { Icon } from '../../src/app/icons/Icon';
import { LazyFilePreview } from './LazyFilePreview';
import type { KeptFile } from './keptFiles';
import { runnerFiles } from './runnerFiles';
import type { Evidence } from './useEvidence';
import * as styles from './runner.module.css';

interface EvidenceOfDraftProps {
  files?: readonly KeptFile[];
  evidence: Evidence;
  disabled: boolean;
}

const noFiles: readonly KeptFile[] = [];

/** The files that will be stored with the result, and the button that adds some. */
export function EvidenceOfDraft({ files = noFiles, evidence, disabled }: EvidenceOfDraftProps) {
  const { field, add, remove, isOver } = evidence;
  const box = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const addresses = useAddresses(files);
  const [shown, setShown] = useState<KeptFile>();
  if (!field) return null;
  const pictures = files.flatMap((file) => {
    const url = addresses.get(file.id);
    return url && isShownPicture(file) ? [{ ...file, url }] : [];
  });
  return (
    <div className={styles.evidence} role="group" aria-label="Evidence" data-over={isOver || undefined}>
      <div className={styles.panelLine}>
        <span className={styles.panelLabel}>Evidence</span>
        {files.length > 0 && <small className="num">{`${files.length} of ${field.most}`}</small>}
      </div>
      {files.length > 0 && (
        <ul className={styles.evidenceList}>
          {files.map((file) => (
            <li key={file.id}>
              <Thumb
                file={file}
                address={addresses.get(file.id)}
                onShow={isShownPicture(file) ? () => setShown(file) : undefined}
              />
              <IconButton
                size="small"
                disabled={disabled}
                aria-label={`Remove ${file.name}`}
                title="Remove"
                onClick={() => {
                  remove(file);
                  button.current?.focus();
                }}
              >
                <Icon name="x" />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={box}
        type="file"
        multiple
        hidden
        accept={acceptAttribute(field)}
        aria-label="Files"
        onChange={(event) => {
          add([...(event.target.files ?? [])]);
          // The same file may be chosen again after it was removed.
          event.target.value = '';
        }}
      />
      <div className={styles.evidenceAdd}>
        <Button
          ref={button}
          variant="outlined"
          disabled={disabled}
          startIcon={<Icon name="paperclip" />}
          onClick={() => box.current?.click()}
        >
          Add files
        </Button>
        <small>{isOver ? 'Drop them' : `or paste or drop them, each up to ${formatBytes(field.maxBytes)}`}</small>
      </div>
      <span role="status" className="unseen">
        {files.length > 0 && `${files.at(-1)!.name}, ${files.length} ${files.length === 1 ? 'file' : 'files'}`}
      </span>
      {shown && (
        <LazyFilePreview
          files={pictures}
          first={Math.max(
            0,
            pictures.findIndex(({ id }) => id === shown.id),
          )}
          onClose={() => setShown(undefined)}
        />
      )}
    </div>
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
    const made: string[] = [];
    const read = async (file: KeptFile): Promise<[string, string | null]> => {
      const content = await runnerFiles.read(file);
      if (!content || !isCurrent) return [file.id, null];
      const address = URL.createObjectURL(content);
      made.push(address);
      return [file.id, address];
    };
    void Promise.all(files.map(read)).then((all) => {
      if (isCurrent) setAddresses(new Map(all));
    });
    return () => {
      isCurrent = false;
      made.forEach((address) => URL.revokeObjectURL(address));
    };
  }, [files]);
  return addresses;
}
