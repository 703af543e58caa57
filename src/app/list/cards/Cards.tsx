import type { RaRecord } from 'react-admin';
import { useMemo, useRef } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { cardOrDefault } from '../../../engine/lists/cards';
import { useListScope } from '../ListScope';
import { RecordCard } from './RecordCard';
import { useCardCommands } from './useCardCommands';
import * as listStyles from '../list.module.css';

/** The records as cards. */
export default function Cards({ definition, records }: { definition: Definition; records: RaRecord[] }) {
  const card = useMemo(() => cardOrDefault(definition), [definition]);
  const list = useRef<HTMLUListElement>(null);
  const { embedded } = useListScope();
  useCardCommands({ frame: list, definition, records, enabled: !embedded });
  return (
    <ul ref={list} className={listStyles.cards} aria-label={definition.labels.many}>
      {records.map((record) => (
        <li key={record.id} data-card={record.id}>
          <RecordCard definition={definition} card={card} record={record} />
        </li>
      ))}
    </ul>
  );
}
