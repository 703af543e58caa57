import { daysBetween, formatDate, sayDay } from '../../../engine/formats/dates';
import { localToday } from '../../data/localTime';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { highlightOf } from '../../list/highlightOf';
import * as chipStyles from '../../chips/chips.module.css';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

/** The day as people say it; of a record that is late by it, how late. Its tooltip has the whole date. */
function Cell({ field, value, record, definition }: CellProps) {
  const evaluationContext = useEvaluationContext(definition);
  if (typeof value !== 'string') return null;
  const today = localToday();
  const lateDays = daysBetween(value, today);
  const highlight =
    lateDays > 0 && definition.list.highlight.some(({ lateSince }) => lateSince === field.name)
      ? highlightOf(definition, record, evaluationContext)
      : undefined;
  if (highlight?.lateSince === field.name)
    return (
      <span className={chipStyles.chip} data-tone={highlight.tone} data-plain="" title={formatDate(value)}>
        {lateDays === 1 ? '1 day late' : `${lateDays} days late`}
      </span>
    );
  return (
    <span className={styles.cellText} title={formatDate(value)}>
      {sayDay(value, today)}
    </span>
  );
}

export default { Cell } satisfies DisplayFacets;
