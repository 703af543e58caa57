import type { RaRecord } from 'react-admin';
import { useMemo, useRef } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { perPage } from '../../../engine/lists/list-state';
import { cardOrDefault } from '../../../engine/lists/cards';
import { useListScope } from '../ListScope';
import { RecordCard } from './RecordCard';
import { useCardCommands } from './useCardCommands';
import * as statesStyles from '../../states/states.module.css';
import * as listStyles from '../list.module.css';

const none: readonly RaRecord[] = [];

/** The records as cards; skeletons while loading. */
export function Cards({ definition, records }: { definition: Definition; records: RaRecord[] | undefined }) {
  const card = useMemo(() => cardOrDefault(definition), [definition]);
  const list = useRef<HTMLUListElement>(null);
  const { embedded } = useListScope();
  useCardCommands({ frame: list, definition, records: records ?? none, enabled: !embedded });
  if (!records)
    return (
      <div className={listStyles.cards} role="status">
        <span className="unseen">Loading…</span>
        {Array.from({ length: perPage }, (_, index) => (
          <div key={index} className={listStyles.recordCard} aria-hidden="true">
            <div className={listStyles.cardTop}>
              <span className={`${statesStyles.skeleton} ${listStyles.cardMark}`} />
              <span className={listStyles.cardName}>
                <span className={statesStyles.skeleton} style={{ width: '70%' }} />
              </span>
            </div>
            {card.lines.map(({ field }) => (
              <span
                key={field}
                className={`${statesStyles.skeleton} ${listStyles.cardLine}`}
                style={{ width: '60%' }}
              />
            ))}
          </div>
        ))}
      </div>
    );
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
