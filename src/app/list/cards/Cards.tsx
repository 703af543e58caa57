import type { RaRecord } from 'react-admin';
import { useMemo } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { perPage } from '../../../engine/lists/list-state';
import { cardOrDefault } from '../../../engine/lists/cards';
import { RecordCard } from './RecordCard';

/** The records as cards; skeletons while loading. */
export function Cards({ definition, records }: { definition: Definition; records: RaRecord[] | undefined }) {
  const card = useMemo(() => cardOrDefault(definition), [definition]);
  if (!records)
    return (
      <div className="cards" role="status">
        <span className="unseen">Loading…</span>
        {Array.from({ length: perPage }, (_, index) => (
          <div key={index} className="record-card" aria-hidden="true">
            <div className="card-top">
              <span className="skeleton card-mark" />
              <span className="card-name">
                <span className="skeleton" style={{ width: '70%' }} />
              </span>
            </div>
            {card.lines.map(({ field }) => (
              <span key={field} className="skeleton card-line" style={{ width: '60%' }} />
            ))}
          </div>
        ))}
      </div>
    );
  return (
    <ul className="cards" aria-label={definition.labels.many}>
      {records.map((record) => (
        <li key={record.id}>
          <RecordCard definition={definition} card={card} record={record} />
        </li>
      ))}
    </ul>
  );
}
