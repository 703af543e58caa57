import { Link } from 'react-router-dom';
import { formatNumber } from '../../../engine/formats/numbers';
import type { Card, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { resolveColumn, countOf } from '../../../engine/lists/column-value';
import { goToPath, rowActions } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import * as styles from './cards.module.css';

interface CardCountsProps {
  card: Card;
  definition: Definition;
  record: ResourceRecord;
}

/** The numbers of related records, linked if a row action leads to them. */
export function CardCounts({ card, definition, record }: CardCountsProps) {
  const { registry, actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const actions = rowActions(definition, record, actor, evaluationContext);
  return (
    <span className={`${styles.cardCounts} num`}>
      {card.counts.map(({ field, action, one: singular, many: plural }) => {
        const count = countOf(resolveColumn(field, definition, registry)?.value(record));
        const goTo = actions.find(({ name, goTo: target }) => name === action && target);
        const text = count === 0 ? `No ${plural}` : `${formatNumber(count)} ${count === 1 ? singular : plural}`;
        return goTo && count > 0 ? (
          <Link key={field} to={goToPath(goTo, record, evaluationContext)}>
            {text}
          </Link>
        ) : (
          <span key={field} data-none={count === 0 || undefined}>
            {text}
          </span>
        );
      })}
    </span>
  );
}
