import type { RefObject } from 'react';
import type { RaRecord } from 'react-admin';
import type { Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { recordTitle } from '../../../engine/lists/row-actions';
import { useCommands, type Command } from '../../commands/commands';
import { useRecordCommands } from './useRecordCommands';
import { focusCard, useRestoredCard } from './useRestoredCard';

interface CardCommands {
  /** The element around the cards, which have `data-card`, the id of their record; those of a column are in a `data-cards`. */
  frame: RefObject<HTMLElement | null>;
  definition: Definition;
  records: readonly ResourceRecord[];
  /** Asks for the column of a record, on a board. */
  onMove?: (record: ResourceRecord) => void;
  /** Puts a record so many places further down in its column. */
  onPlace?: (record: ResourceRecord, offset: number) => void;
  /** Whether a record can be put there. */
  mayPlace?: (record: ResourceRecord) => boolean;
  enabled: boolean;
}

/**
 * `j` and `k` move between cards, `h` and `l` between the columns of a board; `e` edits the record in focus, `a` and `s` set
 * its person and its state, and Shift with `j` or `k` moves it within its column. Its other actions have no keys. Coming
 * back from a record leads to its card.
 */
export function useCardCommands(commands: CardCommands): void {
  const { frame, definition, records, onMove, onPlace, mayPlace, enabled } = commands;
  const commandsOf = useRecordCommands(definition);
  useRestoredCard(frame, definition.name, records);

  const columns = () => {
    const lists = [...(frame.current?.querySelectorAll('[data-cards]') ?? [])];
    const containers = lists.length > 0 ? lists : frame.current ? [frame.current] : [];
    return containers
      .map((list) => [...list.querySelectorAll<HTMLElement>('[data-card]')])
      .filter(({ length }) => length > 0);
  };
  /** Without a card in focus, the keys lead to the first one. */
  const go = (columnOffset: number, rowOffset: number) => {
    const cardColumns = columns();
    const column = cardColumns.findIndex((cards) => cards.some((card) => card.contains(document.activeElement)));
    const index = cardColumns[column]?.findIndex((card) => card.contains(document.activeElement)) ?? -1;
    const next = cardColumns[clamp(column + columnOffset, cardColumns)] ?? [];
    const card = next[column < 0 ? 0 : clamp(index + rowOffset, next)];
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
            recordsText: recordTitle(definition, record),
            opensInput: true,
            run: () => onMove(record),
          },
        ]
      : []),
    ...(onPlace && mayPlace?.(record)
      ? [
          { id: 'move down', label: 'Move down', keys: 'Shift+J', offset: 1 },
          { id: 'move up', label: 'Move up', keys: 'Shift+K', offset: -1 },
        ].map(({ offset, ...command }) => ({
          ...command,
          icon: offset > 0 ? 'arrow-down' : 'arrow-up',
          recordsText: recordTitle(definition, record),
          run: () => onPlace(record, offset),
        }))
      : []),
    ...commandsOf(record, onMove && definition.list.kanban?.column),
  ];
  useCommands(() => {
    const singular = definition.labels.one.toLowerCase();
    const id = document.activeElement?.closest<HTMLElement>('[data-card]')?.dataset.card;
    const record = records.find((candidate) => String(candidate.id) === id) as RaRecord | undefined;
    const moveCommand = (label: string, keys: string, columnOffset: number, rowOffset: number): Command => ({
      ...{ id: keys, label, keys, isRepeatable: true, keysOnly: true },
      run: () => go(columnOffset, rowOffset),
    });
    return [
      moveCommand(`Next ${singular}`, 'j', 0, 1),
      moveCommand(`Previous ${singular}`, 'k', 0, -1),
      ...(onMove ? [moveCommand('Column to the left', 'h', -1, 0), moveCommand('Column to the right', 'l', 1, 0)] : []),
      ...(record ? toRecord(record) : []),
    ];
  }, enabled);
}

const clamp = (index: number, items: readonly unknown[]) => Math.min(items.length - 1, Math.max(0, index));
