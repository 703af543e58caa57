import Dialog from '@mui/material/Dialog';
import useMediaQuery from '@mui/material/useMediaQuery';
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent, type MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { Icon } from '../icons/Icon';
import { phone } from '../theme/overrides';
import {
  actingKeys,
  markWords,
  readPaletteText,
  splitTypedAhead,
  type PaletteEntry,
  type PaletteSection,
} from './palette';
import * as styles from './commands.module.css';
import { itemAt } from '../../engine/values/lookups';

interface CommandPaletteProps {
  text: string;
  onText: (text: string) => void;
  /** Without the sections that have no entries. */
  sections: readonly PaletteSection[];
  /** Records are being searched for. */
  isSearching?: boolean;
  /** Why records could not be searched. */
  problem?: string;
  /** The record of the entries, where they are about one; leaving it leads back to all entries. */
  scope?: { label: string; placeholder: string; onLeave: () => void };
  /** Keys that were pressed before it was shown. */
  typedAhead?: readonly string[];
  onClose: () => void;
}

const hints = [
  { keys: ['↑', '↓'], label: 'choose' },
  { keys: ['↵'], label: 'open' },
  { keys: ['Ctrl ↵'], label: 'new tab' },
  { keys: ['→'], label: 'change' },
  { keys: ['>'], label: 'actions' },
  { keys: ['#'], label: 'keys' },
  { keys: ['@'], label: 'people' },
];
const scopeHints = [
  { keys: ['↑', '↓'], label: 'choose' },
  { keys: ['↵'], label: 'do it' },
  { keys: ['Esc', '←'], label: 'back' },
];

/** Opens what is found by its name, or does it: a text box with sections of entries below it. */
export function CommandPalette(props: CommandPaletteProps) {
  const { text, onText, sections, isSearching, problem, scope, typedAhead = [], onClose } = props;
  const id = useId();
  const navigate = useNavigate();
  const isPhone = useMediaQuery(phone, { noSsr: true });
  const [chosenId, setChosenId] = useState<string>();
  const entries = sections.flatMap((section) => section.entries);
  // Results that arrive meanwhile do not move the choice to another entry.
  const currentIndex = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosenId),
  );
  const current = entries[currentIndex];
  // Before anything is typed or chosen, → is for the record that was opened last.
  const actionEntry = text === '' && chosenId === undefined ? entries.find(({ onActions }) => onActions) : current;
  const searchText = readPaletteText(text).text;

  const activate = (entry: PaletteEntry | undefined, inNewTab: boolean) => {
    if (!entry) return;
    if (entry.to !== undefined && inNewTab) return void window.open(entry.to, '_blank', 'noopener');
    if (entry.keepsOpen) return entry.run?.();
    onClose();
    if (entry.to !== undefined) void navigate(entry.to);
    else entry.run?.();
  };

  const { waits, showActions } = useKeysAhead({
    ...{ typedAhead, text, onText, isSearching, current, actionEntry },
    onEnter: () => activate(current, false),
  });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (waits(event)) {
      event.preventDefault();
      return event.stopPropagation();
    }
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move && entries.length > 0) {
      event.preventDefault();
      setChosenId(itemAt(entries, (currentIndex + move + entries.length) % entries.length).id);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // The button of the chosen entry is focused again as the palette closes: it must not be pressed by the same key.
      event.stopPropagation();
      activate(current, event.ctrlKey || event.metaKey);
    } else if (event.key === 'ArrowRight' && actionEntry?.onActions && isAtEnd(event.target as HTMLInputElement)) {
      event.preventDefault();
      showActions(actionEntry);
    } else if (scope && text === '' && (event.key === 'ArrowLeft' || event.key === 'Backspace')) {
      event.preventDefault();
      scope.onLeave();
    }
  };
  return (
    <Dialog
      open
      fullScreen={isPhone}
      onClose={(_, reason) => (scope && reason === 'escapeKeyDown' ? scope.onLeave() : onClose())}
      slotProps={{
        container: { sx: { alignItems: 'flex-start' } },
        paper: { className: styles.palette, 'aria-label': 'Jump to' },
      }}
    >
      <div className={styles.paletteInput}>
        {scope ? (
          <button type="button" className={styles.paletteScope} tabIndex={-1} onClick={scope.onLeave}>
            <Icon name="arrow-left" />
            <span>{scope.label}</span>
          </button>
        ) : (
          <Icon name="search" />
        )}
        <input
          autoFocus
          role="combobox"
          aria-label={scope ? `${scope.placeholder}: ${scope.label}` : 'Jump to'}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={current ? `${id}-${currentIndex}` : undefined}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          maxLength={255}
          placeholder={scope?.placeholder ?? 'Find records, actions and places'}
          value={text}
          onChange={(event) => {
            onText(event.target.value);
            setChosenId(undefined);
          }}
          onKeyDown={onKeyDown}
        />
        {isPhone ? (
          <button type="button" className={styles.paletteCancel} onClick={onClose}>
            Cancel
          </button>
        ) : (
          <kbd>Esc</kbd>
        )}
      </div>
      <div id={`${id}-list`} className={styles.paletteList} role="listbox" aria-label="Results" aria-busy={isSearching}>
        {sections.map((section, index) => (
          <div key={section.label} role="group" aria-labelledby={`${id}-section-${index}`}>
            <div className={styles.paletteHeading} id={`${id}-section-${index}`} role="presentation">
              <span>{section.label}</span>
              {section.note && <span>{section.note}</span>}
            </div>
            {section.entries.map((entry) => {
              const position = entries.indexOf(entry);
              return (
                <PaletteRow
                  key={entry.id}
                  id={`${id}-${position}`}
                  {...{ entry, searchText }}
                  isCurrent={position === currentIndex}
                  onPoint={() => setChosenId(entry.id)}
                  onClick={(event) => activate(entry, event.ctrlKey || event.metaKey)}
                  onActions={() => showActions(entry)}
                />
              );
            })}
          </div>
        ))}
      </div>
      <p className={styles.paletteNone} role="status">
        {problem ?? (entries.length === 0 ? (isSearching ? 'Searching…' : nothingFound(text)) : '')}
      </p>
      {!isPhone && (
        <div className={styles.paletteFoot} aria-hidden="true">
          {(scope ? scopeHints : hints).map(({ keys, label }) => (
            <span key={label}>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
              {label}
            </span>
          ))}
        </div>
      )}
    </Dialog>
  );
}

interface KeysAhead extends Pick<CommandPaletteProps, 'text' | 'onText' | 'isSearching'> {
  typedAhead: readonly string[];
  /** The entry that Enter is for, and the one whose actions → shows. */
  current: PaletteEntry | undefined;
  actionEntry: PaletteEntry | undefined;
  onEnter: () => void;
}

/**
 * Keys that are pressed before the answer to the last letter, such as Enter: they are for the coming results. Returns whether
 * a key waits for these, and a function that shows the actions of an entry.
 */
function useKeysAhead({ typedAhead, text, onText, isSearching, current, actionEntry, onEnter }: KeysAhead) {
  const [keysAhead] = useState(() => splitTypedAhead(typedAhead));
  const [pendingKey, setPendingKey] = useState(keysAhead.act);
  // Read by what is opened as it is rendered, with the keys that arrive until then.
  const pressedKeys = useRef([...keysAhead.rest]);
  const isLeaving = useRef(false);
  const showTypedAhead = useEffectEvent(() => keysAhead.text !== '' && onText(keysAhead.text));
  useEffect(() => void showTypedAhead(), []);

  const isUncertain = (key: string | undefined) => {
    const entry = key === 'ArrowRight' ? actionEntry : current;
    return isSearching === true && (!entry || entry.isFound === true);
  };
  const showActions = (entry: PaletteEntry | undefined) => {
    if (!entry?.onActions) return;
    isLeaving.current = true;
    entry.onActions(pressedKeys.current);
  };
  const act = useEffectEvent(() => {
    setPendingKey(undefined);
    if (pendingKey === 'Enter') onEnter();
    else showActions(actionEntry);
  });
  const isTextShown = keysAhead.text === '' || text !== '';
  const mayAct = pendingKey !== undefined && !isUncertain(pendingKey) && isTextShown;
  useEffect(() => {
    if (mayAct) act();
  }, [mayAct, pendingKey]);

  const waits = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (pendingKey !== undefined || isLeaving.current) {
      if (event.key === 'Escape' || event.key === 'Backspace') setPendingKey(undefined);
      else if (event.key.length === 1 || actingKeys.includes(event.key)) pressedKeys.current.push(event.key);
      return event.key !== 'Escape';
    }
    const isAction = event.key === 'Enter' || (event.key === 'ArrowRight' && isAtEnd(event.target as HTMLInputElement));
    if (!isAction || !isUncertain(event.key)) return false;
    setPendingKey(event.key);
    return true;
  };
  return { waits, showActions };
}

interface PaletteRowProps {
  id: string;
  entry: PaletteEntry;
  /** The text whose words are marked. */
  searchText: string;
  isCurrent: boolean;
  onPoint: () => void;
  onClick: (event: MouseEvent) => void;
  onActions: () => void;
}

function PaletteRow({ id, entry, searchText, isCurrent, onPoint, onClick, onActions }: PaletteRowProps) {
  return (
    <div
      id={id}
      className={styles.paletteEntry}
      role="option"
      aria-selected={isCurrent}
      ref={(row) => {
        if (isCurrent) row?.scrollIntoView?.({ block: 'nearest' });
      }}
      onMouseMove={onPoint}
      onClick={onClick}
    >
      <Icon name={entry.icon} />
      {entry.recordKey && <span className={styles.paletteKey}>{entry.recordKey}</span>}
      <span className={styles.paletteLabel}>
        {markWords(entry.label, searchText).map((part, nth) =>
          part.isMarked ? <mark key={nth}>{part.text}</mark> : part.text,
        )}
      </span>
      {entry.note && <small>{entry.note}</small>}
      {entry.keys && (
        <span className={styles.paletteKeys}>
          {entry.keys.split(' ').map((key) => (
            <kbd key={key}>{key}</kbd>
          ))}
        </span>
      )}
      {entry.onActions && (
        // A key does the same for those who do not point: a row is one option.
        <span
          className={styles.paletteMore}
          title="What can be done with it (→)"
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation();
            onActions();
          }}
        >
          <Icon name="chevron-right" />
        </span>
      )}
    </div>
  );
}

function isAtEnd({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  return selectionStart === value.length && selectionEnd === value.length;
}

function nothingFound(text: string): string {
  const { mode, text: searchText } = readPaletteText(text);
  if (mode === 'keys' && searchText === '') return 'Type a key, such as TC-142, or the number of a record.';
  if (mode === 'people' && searchText === '') return 'Type part of a name or an email address.';
  return 'Nothing found. Check the words, or try fewer.';
}
