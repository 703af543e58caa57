import { useState } from 'react';
import { isShownPicture } from '../../src/engine/field-types/stored-files';
import { Icon } from '../../src/app/icons/Icon';
import { LazyFilePreview } from './LazyFilePreview';
import type { StoredFile } from './storedFiles';
import * as styles from './evidence.module.css';

/** The files that came with a stored result, small, those of steps behind the number of theirs; each opens in a dialog. */
export function StoredEvidence({ files = [], size }: { files?: readonly StoredFile[]; size?: 'large' }) {
  const [previewIndex, setPreviewIndex] = useState<number>();
  if (files.length === 0) return null;
  return (
    <span className={styles.storedEvidence} data-size={size}>
      {files.map((file, index) => (
        <span key={`${index} ${file.name}`}>
          {file.step !== undefined && file.step !== files[index - 1]?.step && <small>{`Step ${file.step}`}</small>}
          <button
            type="button"
            aria-label={`Show ${file.name}${file.step === undefined ? '' : ` of step ${file.step}`}`}
            title={file.name}
            onClick={() => setPreviewIndex(index)}
          >
            {isShownPicture(file) ? <img src={file.url} alt="" loading="lazy" /> : <Icon name="file" />}
            {size === 'large' && !isShownPicture(file) && <span>{file.name}</span>}
          </button>
        </span>
      ))}
      {previewIndex !== undefined && (
        <LazyFilePreview files={files} first={previewIndex} onClose={() => setPreviewIndex(undefined)} />
      )}
    </span>
  );
}
