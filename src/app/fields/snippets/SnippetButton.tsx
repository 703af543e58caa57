import { useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { isGranted } from '../../../engine/access/access-decision';
import { useDefinitions } from '../../data/DefinitionsContext';
import { Icon } from '../../icons/Icon';
import { lazyComponent } from '../../states/lazyComponent';
import type { SnippetSubject } from './subject';
import * as styles from './snippets.module.css';

const SnippetList = lazyComponent(() => import('./SnippetList').then((module) => ({ default: module.SnippetList })));

interface SnippetButtonProps {
  subject: SnippetSubject;
  disabled?: boolean;
  /** Puts the markup at the cursor, and goes back to the text. */
  onInsert: (markup: string) => void;
  /** Goes back to the text without a snippet. */
  onLeave: () => void;
}

/** Opens the list of snippets, of which one is inserted at the cursor. Nothing for who may not list snippets. */
export function SnippetButton({ subject, disabled = false, onInsert, onLeave }: SnippetButtonProps) {
  const { actor, registry } = useDefinitions();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  if (!registry.get('snippets') || !isGranted(actor, 'snippets', 'list')) return null;
  return (
    <>
      <button
        type="button"
        className={styles.snippetButton}
        aria-label="Snippet"
        title="Snippet (Ctrl ;)"
        aria-keyshortcuts="Control+;"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        disabled={disabled}
        // The text keeps its cursor.
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        <Icon name="template" size={16} />
      </button>
      {anchor && (
        <SnippetList
          anchor={anchor}
          subject={subject}
          onClose={() => {
            // While the list is open, it takes the focus back.
            flushSync(() => setAnchor(null));
            onLeave();
          }}
          onInsert={(markup) => {
            flushSync(() => setAnchor(null));
            onInsert(markup);
          }}
        />
      )}
    </>
  );
}

/**
 * Opens the snippets of the editor that a key was pressed in, if it is their key (Ctrl+;). Says whether it was.
 *
 * @example <div onKeyDown={openSnippets}>…</div>
 */
export function openSnippets(event: KeyboardEvent<HTMLElement>): boolean {
  if (event.key !== ';' || !(event.ctrlKey || event.metaKey) || event.altKey) return false;
  const button = event.currentTarget.querySelector<HTMLElement>('[aria-keyshortcuts="Control+;"]:not(:disabled)');
  if (!button) return false;
  event.preventDefault();
  event.stopPropagation();
  button.click();
  return true;
}
