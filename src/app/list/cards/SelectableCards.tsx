import type { MouseEvent, ReactNode, RefObject } from 'react';
import type { RaRecord } from 'react-admin';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { recordTitle } from '../../../engine/lists/row-actions';
import { useCommands, type Command } from '../../commands/commands';
import { lazyComponent } from '../../states/lazyComponent';
import { BoxMark } from '../../theme/marks';
import type { Selection } from '../bulk/useSelection';
import { useResourceList } from '../ResourceList';
import { focusCard } from './useRestoredCard';
import * as styles from './selection.module.css';

const SelectionBar = lazyComponent(() =>
  import('../bulk/SelectionBar').then((part) => ({ default: part.SelectionBar })),
);

interface SelectableCardsProps {
  /** The element around the cards, which have `data-card`, the id of their record. */
  frame: RefObject<HTMLElement | null>;
  children?: ReactNode;
}

const noRecords: readonly RaRecord[] = [];

/**
 * Cards that can be selected as the rows of a grid, by those who may do something with several records: by their checkbox,
 * with Ctrl or Shift and a click, and by keys; and the bar with what can be done. Not in the form of another record.
 */
export function SelectableCards({ frame, children }: SelectableCardsProps) {
  const { definition, data: records = noRecords, selection } = useResourceList();
  const { selected, select } = selection;
  const isOn = useCardSelection() !== undefined;
  useCommands(() => {
    const singular = definition.labels.one.toLowerCase();
    const card = document.activeElement?.closest<HTMLElement>('[data-card]');
    const record = frame.current?.contains(card ?? null) && records.find(({ id }) => String(id) === card?.dataset.card);
    // Without a card in focus, the key leads to the first one.
    if (!record) {
      const first = () => focusCard(frame.current?.querySelector<HTMLElement>('[data-card]') ?? undefined);
      return [{ id: 'select', label: `Select the ${singular} in focus`, keys: 'x', keysOnly: true, run: first }];
    }
    const { id } = record;
    const title = recordTitle(definition, record);
    const toggle = (isRange: boolean) => selection.toggle(Number(id), isRange);
    const selectPage = () =>
      select(new Map([...selected, ...records.map((pageRecord) => [Number(pageRecord.id), pageRecord] as const)]));
    return [
      {
        id: 'select',
        label: `Select this ${singular}`,
        icon: 'check',
        keys: 'x',
        recordsText: title,
        run: () => toggle(false),
      },
      {
        id: 'select range',
        label: `Select up to this ${singular}`,
        keys: 'Shift+X',
        keysOnly: true,
        run: () => toggle(true),
      },
      { id: 'select all', label: 'Select all of this page', keys: 'Ctrl+A', keysOnly: true, run: selectPage },
    ] satisfies Command[];
  }, isOn);
  if (!isOn) return children;
  return (
    <>
      {children}
      {selected.size > 0 && (
        <div className={styles.cardsBar}>
          <SelectionBar />
        </div>
      )}
    </>
  );
}

/** The selection of the surrounding list; undefined where its cards cannot be selected. */
function useCardSelection(): Selection | undefined {
  const { selection, embedded } = useResourceList();
  return selection.selectable && !embedded ? selection : undefined;
}

interface SelectableCard {
  /** Of the card's element. */
  readonly card: object;
  /** Selects the card by a click with Shift, Ctrl or Cmd. Returns false for another click. */
  readonly select: (event: MouseEvent) => boolean;
}

/** Before a click with Shift on a card: the browser would select the text between the cards. */
export function keepTextUnselected(event: MouseEvent): void {
  if (event.shiftKey && !isOnControl(event.target)) event.preventDefault();
}

/** How a card is selected by clicks on it. */
export function useSelectableCard(record: ResourceRecord): SelectableCard {
  const selection = useCardSelection();
  if (!selection) return { card: {}, select: () => false };
  const id = Number(record.id);
  return {
    card: {
      'data-selected': selection.selected.has(id) || undefined,
      onMouseDown: keepTextUnselected,
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
  const selection = useCardSelection();
  if (!selection) return null;
  const { selected, toggle } = selection;
  const id = Number(record.id);
  return (
    <CardBox
      title={recordTitle(definition, record)}
      isSelected={selected.has(id)}
      isSelecting={selected.size > 0}
      onToggle={(isRange) => toggle(id, isRange)}
    />
  );
}

interface CardBoxProps {
  /** Of the record. */
  title: string;
  isSelected: boolean;
  /** Any card is selected, so that all show their boxes. */
  isSelecting: boolean;
  onToggle: (isRange: boolean) => void;
}

/** The checkbox of a card. */
export function CardBox({ title, isSelected, isSelecting, onToggle }: CardBoxProps) {
  return (
    <span className={styles.cardCheck} data-any={isSelecting || undefined}>
      <input
        type="checkbox"
        aria-label={`Select ${title}`}
        checked={isSelected}
        // It is changed by a click, also where that comes from the keyboard.
        onChange={({ nativeEvent }) => onToggle((nativeEvent as globalThis.MouseEvent).shiftKey)}
      />
      <BoxMark state={isSelected ? 'on' : 'off'} />
    </span>
  );
}

/** Whether a click on a card is for something on it that has clicks of its own. */
export function isOnControl(target: EventTarget): boolean {
  return !(target instanceof Element) || target.closest('a, button, input, [role=menu], .MuiModal-root') !== null;
}
