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

  // Quick typists press Enter before the answer to the last letter: it is for the coming results.
  const [keysAhead] = useState(() => splitTypedAhead(typedAhead));
  const [awaited, setAwaited] = useState(keysAhead.act);
  // Read by what is opened as it is rendered, with the keys that arrive until then.
  const pressedKeys = useRef([...keysAhead.rest]);
  const isLeaving = useRef(false);
  const entryFor = (key: string | undefined) => (key === 'ArrowRight' ? actionEntry : current);
  const isUncertain = (entry: PaletteEntry | undefined) => isSearching === true && (!entry || entry.isFound === true);
  const mustWait = isUncertain(entryFor(awaited));
  const showTypedAhead = useEffectEvent(() => keysAhead.text !== '' && onText(keysAhead.text));
  useEffect(() => void showTypedAhead(), []);
  const isTextShown = keysAhead.text === '' || text !== '';
  const showActions = (entry: PaletteEntry | undefined) => {
    if (!entry?.onActions) return;
    isLeaving.current = true;
    entry.onActions(pressedKeys.current);
  };
  const actWhenFound = useEffectEvent(() => {
    setAwaited(undefined);
    if (awaited === 'Enter') activate(current, false);
    else showActions(actionEntry);
  });
  useEffect(() => {
    if (awaited !== undefined && !mustWait && isTextShown) actWhenFound();
  }, [awaited, mustWait, isTextShown]);
  /** Whether a key waits until the search has answered. */
  const waits = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (awaited !== undefined || isLeaving.current) {
      if (event.key === 'Escape' || event.key === 'Backspace') setAwaited(undefined);
      else if (event.key.length === 1 || actingKeys.includes(event.key)) pressedKeys.current.push(event.key);
      return event.key !== 'Escape';
    }
    const isAction = event.key === 'Enter' || (event.key === 'ArrowRight' && isAtEnd(event.target as HTMLInputElement));
    if (!isAction || !isUncertain(entryFor(event.key))) return false;
    setAwaited(event.key);
    return true;
  };

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
  const isModified = (event: MouseEvent) => event.ctrlKey || event.metaKey;
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
                <div
                  key={entry.id}
                  id={`${id}-${position}`}
                  className={styles.paletteEntry}
                  role="option"
                  aria-selected={position === currentIndex}
                  ref={(row) => {
                    if (position === currentIndex) row?.scrollIntoView?.({ block: 'nearest' });
                  }}
                  onMouseMove={() => setChosenId(entry.id)}
                  onClick={(event) => activate(entry, isModified(event))}
                >
                  <Icon name={entry.icon} />
                  {entry.recordKey && <span className={styles.paletteKey}>{entry.recordKey}</span>}
                  <span className={styles.paletteLabel}>
                    {markWords(entry.label, searchText).map((part, nth) =>
                      part.isMarked ? <mark key={nth}>{part.text}</mark> : part.text,
                    )}
                  </span>
                  {entry.note && <small>{entry.note}</small>}
                  {entry.keys && <kbd>{entry.keys}</kbd>}
                  {entry.onActions && (
                    // A key does the same for those who do not point: a row is one option.
                    <span
                      className={styles.paletteMore}
                      title="What can be done with it (→)"
                      aria-hidden="true"
                      onClick={(event) => {
                        event.stopPropagation();
                        showActions(entry);
                      }}
                    >
                      <Icon name="chevron-right" />
                    </span>
                  )}
                </div>
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

function isAtEnd({ selectionStart, selectionEnd, value }: HTMLInputElement): boolean {
  return selectionStart === value.length && selectionEnd === value.length;
}

function nothingFound(text: string): string {
  const { mode, text: searchText } = readPaletteText(text);
  if (mode === 'keys' && searchText === '') return 'Type a key, such as TC-142, or the number of a record.';
  if (mode === 'people' && searchText === '') return 'Type part of a name or an email address.';
  return 'Nothing found. Check the words, or try fewer.';
}
