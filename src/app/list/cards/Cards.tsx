import type { RaRecord } from 'react-admin';
import { useMemo, useRef } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { cardOrDefault } from '../../../engine/lists/cards';
import type { ListState } from '../../../engine/lists/list-state';
import { useListScope } from '../ListScope';
import { RecordCard } from './RecordCard';
import { SelectableCards } from './SelectableCards';
import { useCardCommands } from './useCardCommands';
import * as listStyles from '../list.module.css';

interface CardsProps {
  definition: Definition;
  state: ListState;
  records: RaRecord[];
  total: number | undefined;
}

/** The records as cards. */
export default function Cards({ definition, state, records, total }: CardsProps) {
  const card = useMemo(() => cardOrDefault(definition), [definition]);
  const list = useRef<HTMLUListElement>(null);
  const { embedded } = useListScope();
  useCardCommands({ frame: list, definition, records, enabled: !embedded });
  return (
    <SelectableCards {...{ definition, state, records, total }} frame={list}>
      <ul ref={list} className={listStyles.cards} aria-label={definition.labels.many}>
        {records.map((record) => (
          <li key={record.id} data-card={record.id}>
            <RecordCard definition={definition} card={card} record={record} />
          </li>
        ))}
      </ul>
    </SelectableCards>
  );
}
