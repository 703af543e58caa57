import type { Definition } from '../../../engine/definitions/definition';
import { cardOrDefault } from '../../../engine/lists/cards';
import { perPage } from '../../../engine/lists/list-state';
import * as statesStyles from '../../states/states.module.css';
import * as cardStyles from './cards.module.css';

/** The skeleton of a page of cards, in their final geometry. */
export function CardsSkeleton({ definition }: { definition: Definition }) {
  const { lines } = cardOrDefault(definition);
  return (
    <div className={cardStyles.cards} role="status">
      <span className="unseen">Loading…</span>
      {Array.from({ length: perPage }, (_, index) => (
        <div key={index} className={cardStyles.recordCard} aria-hidden="true">
          <div className={cardStyles.cardTop}>
            <span className={statesStyles.skeleton} style={{ width: 36, height: 36, borderRadius: 'var(--r)' }} />
            <span className={cardStyles.cardName}>
              <span className={statesStyles.skeleton} style={{ width: '70%', marginTop: 5 }} />
            </span>
          </div>
          {lines.map(({ field }) => (
            <span key={field} className={statesStyles.skeleton} style={{ width: '60%' }} />
          ))}
        </div>
      ))}
    </div>
  );
}
