import { daysBetween, formatDate } from '../../../engine/formats/dates';
import { localToday } from '../../data/localTime';
import { useEvaluationContext } from '../../data/useEvaluationContext';
import { highlightOf } from '../../../engine/lists/highlight-of';
import * as chipStyles from '../../chips/chips.module.css';
import type { ReactNode } from 'react';
import type { CellProps } from '../fieldType';

/** How late a record is by a day, if its highlight says that it is; else `children`. */
export function LateMark({ field, value, record, definition, children }: CellProps & { children?: ReactNode }) {
  const evaluationContext = useEvaluationContext(definition);
  const lateDays = typeof value === 'string' ? daysBetween(value, localToday()) : 0;
  const mayBeLate = lateDays > 0 && definition.list.highlight.some(({ lateSince }) => lateSince === field.name);
  const highlight = mayBeLate ? highlightOf(definition, record, evaluationContext) : undefined;
  if (highlight?.lateSince !== field.name) return children;
  return (
    <span className={chipStyles.chip} data-tone={highlight.tone} data-plain="" title={formatDate(String(value))}>
      {lateDays === 1 ? '1 day late' : `${lateDays} days late`}
    </span>
  );
}
