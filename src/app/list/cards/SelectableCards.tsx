import { createContext, use, useMemo, useRef, type MouseEvent, type ReactNode, type RefObject } from 'react';
import type { RaRecord } from 'react-admin';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import type { ListState } from '../../../engine/lists/list-state';
import { recordTitle } from '../../../engine/lists/row-actions';
import { useCommands, type Command } from '../../commands/commands';
import { lazyComponent } from '../../states/lazyComponent';
import { BoxMark } from '../../theme/marks';
import { useSelection } from '../bulk/useSelection';
import type { SelectedRecords } from '../grid/selection';
import { useListScope } from '../ListScope';
import { focusCard } from './useRestoredCard';
import * as styles from './selection.module.css';

const SelectionBar = lazyComponent(() =>
  import('../bulk/SelectionBar').then((part) => ({ default: part.SelectionBar })),
);

interface CardSelection {
  readonly selected: SelectedRecords;
  /** Selects a record or no longer; as a range, all from the one that was selected before. */
  readonly toggle: (id: number, isRange: boolean) => void;
}

const CardSelectionContext = createContext<CardSelection | undefined>(undefined);

interface SelectableCardsProps {
  definition: Definition;
  state: ListState;
  /** In the order of their cards. */
  records: readonly RaRecord[];
  total: number | undefined;
  /** What contains the cards: elements with `data-card`, the id of their record. */
  frame: RefObject<HTMLElement | null>;
  children: ReactNode;
}

/**
 * Cards that can be selected as the rows of a grid, by those who may do something with several records: by their checkbox,
 * with Ctrl or Shift and a click, and by keys; and the bar with what can be done. Not in the form of another record.
 */
export function SelectableCards({ definition, state, records, total, frame, children }: SelectableCardsProps) {
  const { embedded } = useListScope();
  const { rights, selectable, selected, onSelect } = useSelection(definition, state);
  const isOn = selectable && !embedded;
  const last = useRef<number>(undefined);
  const selection = useMemo(() => {
    const toggle = (id: number, isRange: boolean) => {
      const ids = records.map((record) => Number(record.id));
      const [from, to] = [ids.indexOf(last.current ?? id), ids.indexOf(id)];
      const range = isRange && from >= 0 && selected.size > 0;
      last.current = id;
      const next = new Map(selected);
      if (range)
        for (const record of records.slice(Math.min(from, to), Math.max(from, to) + 1))
          next.set(Number(record.id), record);
      else if (!next.delete(id)) next.set(id, records[to]!);
      onSelect(next);
    };
    return { selected, toggle };
  }, [onSelect, records, selected]);
  useCommands(() => {
    const one = definition.labels.one.toLowerCase();
    const card = document.activeElement?.closest<HTMLElement>('[data-card]');
    const record = frame.current?.contains(card ?? null) && records.find(({ id }) => String(id) === card?.dataset.card);
    // Without a card in focus, the key leads to the first one.
    if (!record) {
      const first = () => focusCard(frame.current?.querySelector<HTMLElement>('[data-card]') ?? undefined);
      return [{ id: 'select', label: `Select the ${one} in focus`, keys: 'x', keysOnly: true, run: first }];
    }
    const { id } = record;
    const about = recordTitle(definition, record);
    const select = (isRange: boolean) => selection.toggle(Number(id), isRange);
    const all = () => onSelect(new Map([...selected, ...records.map((each) => [Number(each.id), each] as const)]));
    return [
      { id: 'select', label: `Select this ${one}`, icon: 'check', keys: 'x', about, run: () => select(false) },
      {
        id: 'select range',
        label: `Select up to this ${one}`,
        keys: 'Shift+X',
        keysOnly: true,
        run: () => select(true),
      },
      { id: 'select all', label: 'Select all of this page', keys: 'Ctrl+A', keysOnly: true, run: all },
    ] satisfies Command[];
  }, isOn);
  if (!isOn) return children;
  return (
    <CardSelectionContext value={selection}>
      {children}
      {selected.size > 0 && (
        <div className={styles.cardsBar}>
          <SelectionBar {...{ definition, state, rights, selected, onSelect }} total={total ?? 0} />
        </div>
      )}
    </CardSelectionContext>
  );
}

interface SelectableCard {
  /** Of the card's element. */
  readonly card: object;
  /** Selects the card by a click with Shift, Ctrl or Cmd. Returns false for another click. */
  readonly select: (event: MouseEvent) => boolean;
}

/** How a card is selected by clicks on it. */
export function useSelectableCard(record: ResourceRecord): SelectableCard {
  const selection = use(CardSelectionContext);
  if (!selection) return { card: {}, select: () => false };
  const id = Number(record.id);
  return {
    card: {
      'data-selected': selection.selected.has(id) || undefined,
      // The browser would select the text between the cards.
      onMouseDown: (event: MouseEvent) => {
        if (event.shiftKey && !isOnControl(event.target)) event.preventDefault();
      },
    },
    select: ({ shiftKey, ctrlKey, metaKey, currentTarget }) => {
      if (!shiftKey && !ctrlKey && !metaKey) return false;
      selection.toggle(id, shiftKey);
      // Keys go on from there.
      focusCard(currentTarget.closest<HTMLElement>('[data-card]') ?? undefined);
      return true;
    },
  };
}

/** The checkbox of a card, named after its record; nothing where cards cannot be selected. */
export function CardCheckbox({ definition, record }: { definition: Definition; record: ResourceRecord }) {
  const selection = use(CardSelectionContext);
  if (!selection) return null;
  const id = Number(record.id);
  const isSelected = selection.selected.has(id);
  return (
    <span className={styles.cardCheck} data-any={selection.selected.size > 0 || undefined}>
      <input
        type="checkbox"
        aria-label={`Select ${recordTitle(definition, record)}`}
        checked={isSelected}
        // It is changed by a click, also where that comes from the keyboard.
        onChange={({ nativeEvent }) => selection.toggle(id, (nativeEvent as globalThis.MouseEvent).shiftKey)}
      />
      <BoxMark state={isSelected ? 'on' : 'off'} />
    </span>
  );
}

/** Whether a click on a card is for something on it that has clicks of its own. */
export function isOnControl(target: EventTarget): boolean {
  return !(target instanceof Element) || target.closest('a, button, input, [role=menu], .MuiModal-root') !== null;
}
