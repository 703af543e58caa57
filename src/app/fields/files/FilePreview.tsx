import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import { useEffect, useId, useState } from 'react';
import { isShownPicture, type FileValue } from '../../../engine/field-types/stored-files';
import { itemAt } from '../../../engine/values/lookups';
import { Icon } from '../../icons/Icon';
import * as styles from './files.module.css';

/** Files in a dialog, one at a time: pictures and PDF as they are, of others what can be done. The arrows go through them. */
export function FilePreview({
  files,
  first,
  onClose,
}: {
  files: readonly FileValue[];
  /** The place of the file that is shown first. */
  first: number;
  onClose: () => void;
}) {
  const id = useId();
  const [position, setPosition] = useState(first);
  const file = itemAt(files, Math.min(position, files.length - 1));
  const go = (target: number) => setPosition(Math.max(0, Math.min(files.length - 1, target)));
  return (
    <Dialog
      open
      onClose={onClose}
      aria-labelledby={`${id}-title`}
      slotProps={{ paper: { className: styles.preview, sx: { maxWidth: 'calc(100% - 32px)', m: 4 } } }}
      onKeyDown={(event) => {
        if (event.key === 'ArrowLeft') go(position - 1);
        if (event.key === 'ArrowRight') go(position + 1);
      }}
    >
      <div className={styles.previewHead}>
        <h2 id={`${id}-title`}>{file.name}</h2>
        {files.length > 1 && (
          <>
            <IconButton aria-label="Previous file" disabled={position === 0} onClick={() => go(position - 1)}>
              <Icon name="chevron-left" />
            </IconButton>
            <span className="num">{`${position + 1} of ${files.length}`}</span>
            <IconButton
              aria-label="Next file"
              disabled={position === files.length - 1}
              onClick={() => go(position + 1)}
            >
              <Icon name="chevron-right" />
            </IconButton>
          </>
        )}
        <Button
          variant="outlined"
          size="small"
          component="a"
          href={file.url}
          download={file.name}
          startIcon={<Icon name="download" />}
        >
          Download
        </Button>
        <IconButton aria-label="Close" autoFocus onClick={onClose}>
          <Icon name="x" />
        </IconButton>
      </div>
      <div className={styles.previewBody}>
        <Shown key={file.url} file={file} />
      </div>
    </Dialog>
  );
}

function Shown({ file }: { file: FileValue }) {
  const [failed, setFailed] = useState(false);
  if (failed) return <p>This file could not be loaded. Its address is valid for a short time: reload the page.</p>;
  if (isShownPicture(file)) return <img src={file.url} alt={file.name} onError={() => setFailed(true)} />;
  if (file.type === 'application/pdf' && navigator.pdfViewerEnabled)
    return <PdfFrame file={file} onFailed={() => setFailed(true)} />;
  return <p>{`This browser cannot show “${file.name}”. Download it to open it.`}</p>;
}

/** The browser's own viewer, which shows a copy of the file: as the server sends it, nothing may show it. */
function PdfFrame({ file, onFailed }: { file: FileValue; onFailed: () => void }) {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    let objectUrl: string | undefined;
    const controller = new AbortController();
    const load = async () => {
      const answer = await fetch(file.url, { signal: controller.signal });
      if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
      objectUrl = URL.createObjectURL(new Blob([await answer.arrayBuffer()], { type: 'application/pdf' }));
      if (controller.signal.aborted) URL.revokeObjectURL(objectUrl);
      else setAddress(objectUrl);
    };
    load().catch(() => controller.signal.aborted || onFailed());
    return () => {
      controller.abort();
      if (objectUrl) URL.revokeObjectURL(objectUrl);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once for each file: the frame has its key
  }, [file.url]);
  return address === undefined ? <p role="status">Loading…</p> : <iframe src={address} title={file.name} />;
}
