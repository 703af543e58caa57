import type { RefObject } from 'react';
import type { RaRecord } from 'react-admin';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { recordTitle } from '../../../engine/lists/row-actions';
import { useCommands, type Command } from '../../commands/commands';
import { useRecordCommands } from './useRecordCommands';
import { focusCard, useRestoredCard } from './useRestoredCard';

interface CardCommands {
  /** What contains the cards: elements with `data-card`, the id of their record; those of a column in a `data-cards`. */
  frame: RefObject<HTMLElement | null>;
  definition: Definition;
  records: readonly ResourceRecord[];
  /** Asks for the column of a record, on a board. */
  onMove?: (record: ResourceRecord) => void;
  enabled: boolean;
}

/**
 * `j` and `k` move between cards, `h` and `l` between the columns of a board; `e` edits the record in focus, `a` and `s` set
 * its person and its state. Its other actions have no keys. Coming back from a record leads to its card.
 */
export function useCardCommands({ frame, definition, records, onMove, enabled }: CardCommands): void {
  const commandsOf = useRecordCommands(definition);
  useRestoredCard(frame, definition.name, records);

  const columns = () => {
    const lists = [...(frame.current?.querySelectorAll('[data-cards]') ?? [])];
    const all = lists.length > 0 ? lists : frame.current ? [frame.current] : [];
    return all.map((list) => [...list.querySelectorAll<HTMLElement>('[data-card]')]).filter(({ length }) => length > 0);
  };
  /** Without a card in focus, the keys lead to the first one. */
  const go = (across: number, down: number) => {
    const all = columns();
    const column = all.findIndex((cards) => cards.some((card) => card.contains(document.activeElement)));
    const at = all[column]?.findIndex((card) => card.contains(document.activeElement)) ?? -1;
    const next = all[clamp(column + across, all)] ?? [];
    const card = next[column < 0 ? 0 : clamp(at + down, next)];
    focusCard(card);
  };
  const toRecord = (record: ResourceRecord): Command[] => [
    ...(onMove
      ? [
          {
            id: 'move',
            label: 'Move to another column…',
            icon: 'arrow-right',
            keys: 's',
            about: recordTitle(definition, record),
            opens: true,
            run: () => onMove(record),
          },
        ]
      : []),
    ...commandsOf(record, onMove && definition.list.kanban?.column),
  ];
  useCommands(() => {
    const one = definition.labels.one.toLowerCase();
    const id = document.activeElement?.closest<HTMLElement>('[data-card]')?.dataset.card;
    const record = records.find((each) => String(each.id) === id) as RaRecord | undefined;
    const moving = (label: string, keys: string, across: number, down: number): Command => ({
      ...{ id: keys, label, keys, repeats: true, keysOnly: true },
      run: () => go(across, down),
    });
    return [
      moving(`Next ${one}`, 'j', 0, 1),
      moving(`Previous ${one}`, 'k', 0, -1),
      ...(onMove ? [moving('Column to the left', 'h', -1, 0), moving('Column to the right', 'l', 1, 0)] : []),
      ...(record ? toRecord(record) : []),
    ];
  }, enabled);
}

const clamp = (at: number, all: readonly unknown[]) => Math.min(all.length - 1, Math.max(0, at));
