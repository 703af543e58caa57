import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import { useNotify } from 'react-admin';
import { useMemo, useRef, useState, type ReactNode } from 'react';
import { copyText } from '../../fields/shareLink/shareUrl';
import { Icon } from '../../icons/Icon';
import { useDraft } from '../draft';
import type { JsonHandle } from './JsonEditor';
import { toEditorError, type EditorError } from './editorError';
import { lazyComponent, LoadingFallback } from '../../states/lazyComponent';
import * as styles from '../studio.module.css';

const JsonEditor = lazyComponent(() => import('./JsonEditor'));

/** The JSON pane of the draft; its editor is loaded when first shown. `tabs`: those of the properties and JSON panes. */
export function JsonPane({ tabs }: { tabs: ReactNode }) {
  const { plan, source, unreadable, text, undo } = useDraft();
  const notify = useNotify();
  const editor = useRef<JsonHandle>(null);
  const [line, setLine] = useState<number | null>(null);
  const faults = useMemo<readonly EditorError[]>(() => {
    if (unreadable) return [{ location: unreadable.line, subject: '', message: unreadable.message }];
    return (plan?.errors ?? [])
      .filter((error) => isErrorOf(error, source.name))
      .map((error) => toEditorError(error, source));
  }, [plan, source, unreadable]);
  const copy = async () => {
    if (await copyText(text)) notify('The JSON was copied', { type: 'success' });
    else notify('The browser does not allow copying here', { type: 'warning' });
  };
  return (
    <>
      <header className={styles.studioHead}>
        {tabs}
        <span className={styles.studioGrow} />
        <span role="status">
          {line !== null && (
            <Button
              size="small"
              color="error"
              startIcon={<Icon name="warning" />}
              title={faults.length > 1 ? `The first of ${faults.length} errors` : 'Go to the error'}
              onClick={() => editor.current?.leadToFault()}
            >
              line {line}
            </Button>
          )}
        </span>
        <IconButton size="small" aria-label="Copy JSON" title="Copy JSON" onClick={() => void copy()}>
          <Icon name="copy" />
        </IconButton>
        <IconButton size="small" aria-label="Undo" title="Undo" disabled={!undo} onClick={undo}>
          <Icon name="undo" />
        </IconButton>
      </header>
      <LoadingFallback
        fallback={
          <Typography
            component="pre"
            variant="body2"
            sx={{ flex: 1, minHeight: 0, m: 0, py: 1, px: 3, overflow: 'auto', fontFamily: 'var(--mono)' }}
          >
            {text}
          </Typography>
        }
      >
        <JsonEditor ref={editor} errors={faults} onLine={setLine} />
      </LoadingFallback>
    </>
  );
}

/** A draft can break other definitions too: those errors are shown with the plan. */
const isErrorOf = ({ module }: { module?: string }, name: string) => module === undefined || module === name;
