import { RecordContextProvider } from 'react-admin';
import { useMemo, useRef } from 'react';
import { cardOrDefault } from '../../../engine/lists/cards';
import { useResourceList } from '../ResourceList';
import { RecordCard } from './RecordCard';
import { SelectableCards } from './SelectableCards';
import { useCardCommands } from './useCardCommands';
import * as cardStyles from './cards.module.css';

const noRecords: readonly never[] = [];

/** The records as cards. */
export default function Cards() {
  const { definition, data: records = noRecords, embedded } = useResourceList();
  const card = useMemo(() => cardOrDefault(definition), [definition]);
  const list = useRef<HTMLUListElement>(null);
  useCardCommands({ frame: list, definition, records, enabled: !embedded });
  return (
    <SelectableCards frame={list}>
      <ul ref={list} className={cardStyles.cards} aria-label={definition.labels.many}>
        {records.map((record) => (
          <li key={record.id} data-card={record.id}>
            <RecordContextProvider value={record}>
              <RecordCard definition={definition} card={card} record={record} />
            </RecordContextProvider>
          </li>
        ))}
      </ul>
    </SelectableCards>
  );
}
