import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { memo, useCallback, useRef, useState, type KeyboardEvent } from 'react';
import { moveField } from '../../../engine/studio/fields';
import { Icon } from '../../icons/Icon';
import { useDraftPart, type Draft } from '../draft';
import { useIsNarrow } from '../useIsNarrow';
import { AddFieldDialog } from './AddFieldDialog';
import { fieldEntries, hiddenEntries, type Entry } from './entries';
import { FieldList, FieldEntry } from './FieldList';
import * as studioStyles from '../studio.module.css';
import * as styles from './fields.module.css';
import { draftErrors, partAt, moduleParts, sectionAt, sections } from '../draftPlaces';
import { requireValue } from '../../../engine/values/lookups';

/**
 * The entries of a section: the fields of the module and its hidden columns, or its parts. In narrow windows all of them.
 * Arrow keys move through them.
 */
export const FieldsPane = memo(function FieldsPane() {
  const {
    pointer,
    go,
    edit,
    all: allEntries,
    hidden,
    parts,
  } = useDraftPart((draft) => ({
    pointer: draft.pointer,
    go: draft.go,
    edit: draft.edit,
    all: fieldEntries(draft),
    hidden: hiddenEntries(draft),
    parts: partEntries(draft),
  }));
  const isNarrow = useIsNarrow();
  const [find, setFind] = useState<string | null>(null);
  const [isAdding, setIsAdding] = useState(false);
  const pane = useRef<HTMLElement>(null);
  const text = find?.trim().toLowerCase() ?? '';
  const section = sectionAt(pointer);
  const showsFields = isNarrow || section.name === 'fields';
  const shownParts = parts.filter((entry) => sectionAt(entry.pointer) === section);
  const fields =
    text === ''
      ? allEntries
      : allEntries.filter(({ name, label = '' }) => `${label}\n${name}`.toLowerCase().includes(text));
  const entries = showsFields ? [...fields, ...hidden, ...(isNarrow ? parts : [])] : shownParts;
  const tabbable = entries.find((entry) => entry.pointer === pointer)?.pointer ?? entries[0]?.pointer;
  const choose = useCallback((target: string) => go(target, isNarrow ? 'properties' : undefined), [go, isNarrow]);
  const move = useCallback((name: string, index: number) => edit((source) => moveField(source, name, index)), [edit]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const focusedPointer = (event.target as HTMLElement).dataset.place;
    if (step === undefined || focusedPointer === undefined || event.defaultPrevented) return;
    const next = entries[entries.findIndex((entry) => entry.pointer === focusedPointer) + step];
    if (!next) return;
    event.preventDefault();
    if (!isNarrow) go(next.pointer);
    pane.current?.querySelector<HTMLElement>(`[data-place="${CSS.escape(next.pointer)}"]`)?.focus();
  };
  const renderEntries = (list: typeof entries) =>
    list.map((entry) => (
      <li key={entry.pointer}>
        <FieldEntry
          entry={entry}
          current={entry.pointer === pointer}
          tabbable={entry.pointer === tabbable}
          onChoose={choose}
        />
      </li>
    ));
  if (!showsFields)
    return (
      <section className={studioStyles.studioPane} aria-label={section.label} ref={pane} onKeyDown={onKeyDown}>
        <header className={studioStyles.studioHead}>
          <h2>{section.label}</h2>
        </header>
        <div className={styles.studioScroll}>
          <ul className={styles.studioList}>{renderEntries(shownParts)}</ul>
        </div>
      </section>
    );
  return (
    <section className={studioStyles.studioPane} aria-label="Fields" ref={pane} onKeyDown={onKeyDown}>
      <header className={studioStyles.studioHead}>
        {find === null ? (
          <h2>
            Fields <small className="num">{allEntries.length}</small>
          </h2>
        ) : (
          <OutlinedInput
            size="small"
            fullWidth
            autoFocus
            placeholder="Find a field"
            value={find}
            onChange={(event) => setFind(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && setFind(null)}
            slotProps={{ input: { 'aria-label': 'Find a field' } }}
          />
        )}
        {find === null && <span className={studioStyles.studioGrow} />}
        <IconButton
          size="small"
          aria-label={find === null ? 'Find a field' : 'Show all fields'}
          title={find === null ? 'Find a field' : 'Show all fields'}
          onClick={() => setFind(find === null ? '' : null)}
        >
          <Icon name={find === null ? 'search' : 'close'} />
        </IconButton>
        <IconButton size="small" aria-label="Add field" title="Add field" onClick={() => setIsAdding(true)}>
          <Icon name="plus" />
        </IconButton>
      </header>
      <div className={styles.studioScroll}>
        <FieldList
          entries={fields}
          pointer={pointer}
          tabbable={tabbable}
          onChoose={choose}
          onMove={text === '' ? move : undefined}
        />
        {fields.length === 0 && (
          <Box component="p" sx={{ py: 2, px: 3, color: 'var(--t3)', fontSize: 13, listStyle: 'none' }}>
            No field matches.
          </Box>
        )}
        {hidden.length > 0 && (
          <>
            <h3>Hidden columns</h3>
            <ul className={styles.studioList}>{renderEntries(hidden)}</ul>
          </>
        )}
        {isNarrow && (
          <>
            <h3>Module and screens</h3>
            <ul className={styles.studioList}>{renderEntries(parts)}</ul>
          </>
        )}
      </div>
      {isAdding && <AddFieldDialog onClose={() => setIsAdding(false)} />}
    </section>
  );
});

/** The entries of the module's parts besides its fields. */
function partEntries(draft: Draft): Entry[] {
  const isOf = (path: string, pointer: string) => partAt(path)?.pointer === pointer;
  const errors = draftErrors(draft);
  return sections
    .flatMap(({ parts }): readonly string[] => parts)
    .map((pointer) => {
      const { label, icon } = requireValue(
        moduleParts.find((part) => part.pointer === pointer),
        `the part ${pointer}`,
      );
      const isChanged = draft.changes.some(({ path }) => isOf(path, pointer));
      return {
        ...{ pointer, icon, name: label },
        state: isChanged ? 'changed' : undefined,
        hasError: errors.some(({ path }) => isOf(path, pointer)),
      };
    });
}
