import type { RaRecord } from 'react-admin';
import { useMemo, useRef } from 'react';
import type { Definition } from '../../../engine/definitions/definition';
import { perPage } from '../../../engine/lists/list-state';
import { cardOrDefault } from '../../../engine/lists/cards';
import { useCommands } from '../../commands/commands';
import { useListScope } from '../ListScope';
import { RecordCard } from './RecordCard';
import * as statesStyles from '../../states/states.module.css';
import * as listStyles from '../list.module.css';

/** The records as cards; skeletons while loading. */
export function Cards({ definition, records }: { definition: Definition; records: RaRecord[] | undefined }) {
  const card = useMemo(() => cardOrDefault(definition), [definition]);
  const list = useRef<HTMLUListElement>(null);
  const { embedded } = useListScope();
  const move = (by: number) => {
    const links = [...(list.current?.querySelectorAll<HTMLElement>('h3 a') ?? [])];
    const at = links.findIndex((link) => link.closest('li')?.contains(document.activeElement));
    links[at < 0 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))]?.focus();
  };
  const one = definition.labels.one.toLowerCase();
  useCommands(
    () => [
      { id: 'next', label: `Next ${one}`, keys: 'j', repeats: true, keysOnly: true, run: () => move(1) },
      { id: 'previous', label: `Previous ${one}`, keys: 'k', repeats: true, keysOnly: true, run: () => move(-1) },
    ],
    !embedded,
  );
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
        <li key={record.id}>
          <RecordCard definition={definition} card={card} record={record} />
        </li>
      ))}
    </ul>
  );
}
