import IconButton from '@mui/material/IconButton';
import OutlinedInput from '@mui/material/OutlinedInput';
import { memo, useCallback, useRef, useState, type KeyboardEvent } from 'react';
import { moveField } from '../../../../engine/studio/fields';
import { Icon } from '../../../icons/Icon';
import { useDraftPart } from '../draft';
import { useIsNarrow } from '../useIsNarrow';
import { AddFieldDialog } from './AddFieldDialog';
import { fieldEntries, hiddenEntries } from './entries';
import { FieldEntry } from './FieldEntry';
import { FieldList } from './FieldList';
import { partEntries } from './partEntries';
import * as studioStyles from '../studio.module.css';
import * as styles from './fields.module.css';

/** The fields of the module, its hidden columns, and its other parts. Arrow keys move through all of them. */
export const FieldsPane = memo(function FieldsPane() {
  const { place, go, edit, all, hidden, parts } = useDraftPart((draft) => ({
    place: draft.place,
    go: draft.go,
    edit: draft.edit,
    all: fieldEntries(draft),
    hidden: hiddenEntries(draft),
    parts: partEntries(draft),
  }));
  const narrow = useIsNarrow();
  const [find, setFind] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const pane = useRef<HTMLElement>(null);
  const text = find?.trim().toLowerCase() ?? '';
  const fields = text === '' ? all : all.filter(({ name }) => name.toLowerCase().includes(text));
  const entries = [...fields, ...hidden, ...parts];
  const tabbable = entries.find((entry) => entry.place === place)?.place ?? entries[0]?.place;
  const choose = useCallback((to: string) => go(to, narrow ? 'properties' : undefined), [go, narrow]);
  const move = useCallback((name: string, to: number) => edit((source) => moveField(source, name, to)), [edit]);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = (event.target as HTMLElement).dataset.place;
    if (step === undefined || from === undefined || event.defaultPrevented) return;
    const next = entries[entries.findIndex((entry) => entry.place === from) + step];
    if (!next) return;
    event.preventDefault();
    if (!narrow) go(next.place);
    pane.current?.querySelector<HTMLElement>(`[data-place="${CSS.escape(next.place)}"]`)?.focus();
  };
  const plain = (list: typeof entries) =>
    list.map((entry) => (
      <li key={entry.place}>
        <FieldEntry
          entry={entry}
          current={entry.place === place}
          tabbable={entry.place === tabbable}
          onChoose={choose}
        />
      </li>
    ));
  return (
    <section className={studioStyles.studioPane} aria-label="Fields" ref={pane} onKeyDown={onKeyDown}>
      <header className={studioStyles.studioHead}>
        {find === null ? (
          <h2>
            Fields <small className="num">{all.length}</small>
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
        <IconButton size="small" aria-label="Add field" title="Add field" onClick={() => setAdding(true)}>
          <Icon name="plus" />
        </IconButton>
      </header>
      <div className={styles.studioScroll}>
        <FieldList
          entries={fields}
          place={place}
          tabbable={tabbable}
          onChoose={choose}
          onMove={text === '' ? move : undefined}
        />
        {fields.length === 0 && <p className={styles.studioNone}>No field matches.</p>}
        {hidden.length > 0 && (
          <>
            <h3>Hidden columns</h3>
            <ul className={styles.studioList}>{plain(hidden)}</ul>
          </>
        )}
        <h3 className={styles.studioStuck}>
          <button
            type="button"
            tabIndex={-1}
            onClick={(event) => event.currentTarget.parentElement?.nextElementSibling?.scrollIntoView({ block: 'end' })}
          >
            Module and screens
            <Icon name="chevron-down" size={14} />
          </button>
        </h3>
        <ul className={styles.studioList}>{plain(parts)}</ul>
      </div>
      {adding && <AddFieldDialog onClose={() => setAdding(false)} />}
    </section>
  );
});
