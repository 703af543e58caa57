import { useState } from 'react';
import { isShownPicture, type FileValue } from '../../src/engine/field-types/stored-files';
import { Icon } from '../../src/app/icons/Icon';
import { LazyFilePreview } from './LazyFilePreview';
import * as styles from './runner.module.css';

/** The files that came with a stored result, small; each opens in a dialog. */
export function StoredEvidence({ files = [] }: { files?: readonly FileValue[] }) {
  const [shown, setShown] = useState<number>();
  if (files.length === 0) return null;
  return (
    <span className={styles.storedEvidence}>
      {files.map((file, place) => (
        <button
          key={`${place} ${file.name}`}
          type="button"
          aria-label={`Show ${file.name}`}
          title={file.name}
          onClick={() => setShown(place)}
        >
          {isShownPicture(file) ? <img src={file.url} alt="" loading="lazy" /> : <Icon name="file" />}
        </button>
      ))}
      {shown !== undefined && <LazyFilePreview files={files} first={shown} onClose={() => setShown(undefined)} />}
    </span>
  );
}
