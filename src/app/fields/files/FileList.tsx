import { useState } from 'react';
import { isShownPicture, type FileValue } from '../../../engine/field-types/stored-files';
import { Icon } from '../../icons/Icon';
import { FilePreview } from './FilePreview';
import * as styles from '../page-values.module.css';

/** Files side by side; each opens its preview. */
export function FileList({ files }: { files: readonly FileValue[] }) {
  const [previewIndex, setPreviewIndex] = useState<number>();
  return (
    <>
      <ul className={styles.valueFiles}>
        {files.map((file, index) => (
          <li key={file.url}>
            <button type="button" aria-haspopup="dialog" onClick={() => setPreviewIndex(index)}>
              {isShownPicture(file) ? (
                <img src={file.url} alt="" loading="lazy" />
              ) : (
                <span>
                  <Icon name="paperclip" />
                </span>
              )}
              {file.name}
            </button>
          </li>
        ))}
      </ul>
      {previewIndex !== undefined && (
        <FilePreview files={files} first={previewIndex} onClose={() => setPreviewIndex(undefined)} />
      )}
    </>
  );
}
