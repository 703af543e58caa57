import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { Card, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { fillTemplate } from '../../../engine/definitions/labels';
import { recordActions, recordTitle } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { ActionMenu } from '../ActionMenu';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import { CardCounts } from './CardCounts';
import { CardLine } from './CardLine';
import { CardMark } from './CardMark';
import { CardMarks } from './CardMarks';
import { CardPerson } from './CardPerson';
import { CardValues } from './CardValues';
import { CardCheckbox, isOnControl, useSelectableCard } from './SelectableCards';
import * as styles from './cards.module.css';

interface RecordCardProps {
  definition: Definition;
  card: Card;
  record: ResourceRecord;
}

/** A record as a card: mark, name, lines, counts, and an action menu. */
export function RecordCard({ definition, card, record }: RecordCardProps) {
  const { actor } = useDefinitions();
  const evaluationContext = useEvaluationContext(definition);
  const actions = useMemo(
    () =>
      recordActions(definition, record, actor, evaluationContext).filter(
        ({ name }) => card.menu.includes(name) || name === 'view',
      ),
    [actor, card.menu, definition, record, evaluationContext],
  );
  const { path, open, onClick } = useOpenRecord(definition)(record);
  const title = fillTemplate(card.title, record) || recordTitle(definition, record);
  const subtitle = card.subtitle === undefined ? '' : fillTemplate(card.subtitle, record);
  const menu = actions.length > 0 && <ActionMenu actions={actions} record={record} title={title} />;
  const clickable = path !== null && definition.list.rowClick !== 'none';
  const selectable = useSelectableCard(record);
  const hasFoot = card.counts.length > 0;
  const isNumbered = card.mark === 'none';
  return (
    <article
      className={styles.recordCard}
      data-clickable={clickable || undefined}
      data-numbered={isNumbered || undefined}
      {...selectable.card}
      onClick={(event) => {
        if (isOnControl(event.target) || selectable.select(event)) return;
        if (clickable) open();
      }}
    >
      <div className={styles.cardTop}>
        <CardMark card={card} record={record} title={title} />
        <div className={styles.cardName}>
          {isNumbered && (
            <span className={styles.cardId}>
              <span className="num">{String(record[card.key ?? 'id'])}</span>
              {subtitle}
            </span>
          )}
          <h2>
            {path ? (
              <Link to={path} onClick={onClick}>
                {title}
              </Link>
            ) : (
              title
            )}
          </h2>
          {subtitle && !isNumbered && <small>{subtitle}</small>}
        </div>
        <CardCheckbox {...{ definition, record }} />
        {!hasFoot && menu}
      </div>
      <CardValues definition={definition} record={record}>
        <CardMarks {...{ card, definition, record }} />
        {(card.lines.length > 0 || card.person) && (
          <div className={styles.cardLines}>
            <dl>
              {card.lines.map((line) => (
                <CardLine key={line.field} {...{ line, definition, record }} />
              ))}
            </dl>
            <CardPerson person={card.person} className={styles.cardPerson} {...{ definition, record }} />
          </div>
        )}
      </CardValues>
      {hasFoot && (
        <footer>
          <CardCounts {...{ card, definition, record }} />
          {menu}
        </footer>
      )}
    </article>
  );
}
