import { useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { Card, Definition, ResourceRecord } from '../../../engine/definitions/definition';
import { fillTemplate } from '../../../engine/definitions/labels';
import { keyedTitle, recordActions, recordTitle, goToPath, rowActions } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { ActionMenu } from '../ActionMenu';
import { useOpenRecord } from '../../navigation/useOpenRecord';
import { CardLine } from './CardLine';
import { CardMark } from './CardMark';
import { CardPerson } from './CardPerson';
import { CardValues, CardValue } from './CardValues';
import { CardCheckbox, isOnControl, useSelectableCard } from './SelectableCards';
import * as styles from './cards.module.css';
import { resolveColumn, countOf } from '../../../engine/lists/column-value';
import { isEmpty } from '../../../engine/values/is-empty';
import { RowMark } from '../RowMark';
import { SourceCell } from '../SourceCell';
import { formatNumber } from '../../../engine/formats/numbers';

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
  const { key: ownKey, name } = keyedTitle(definition, record, title);
  const key = card.key === undefined ? ownKey : record[card.key];
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
              <span className={key === undefined ? 'num' : undefined}>{String(key ?? record.id)}</span>
              {subtitle}
            </span>
          )}
          <h2>
            {!isNumbered && ownKey !== undefined && <small className={styles.cardKey}>{ownKey} </small>}
            {path ? (
              <Link to={path} onClick={onClick}>
                {name}
              </Link>
            ) : (
              name
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

interface CardMarksProps {
  card: Card;
  definition: Definition;
  record: ResourceRecord;
}

/** Values shown side by side on a card, such as the priority, and the record's highlight. */
function CardMarks({ card, definition, record }: CardMarksProps) {
  const { registry } = useDefinitions();
  const visibleMarks = card.marks.flatMap((path) => {
    const source = resolveColumn(path, definition, registry);
    return source && (!isEmpty(source.value(record)) || source.field.emptyText !== undefined) ? [{ path, source }] : [];
  });
  return (
    <div className={styles.cardMarks}>
      {visibleMarks.map(({ path, source }) => (
        <CardValue key={path} field={path}>
          <SourceCell source={source} record={record} />
        </CardValue>
      ))}
      <RowMark definition={definition} record={record} shownFields={new Set(card.lines.map(({ field }) => field))} />
    </div>
  );
}

interface CardCountsProps {
  card: Card;
  definition: Definition;
  record: ResourceRecord;
}

/** The numbers of related records, linked if a row action leads to them. */
function CardCounts({ card, definition, record }: CardCountsProps) {
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
