import { useMemo, useState } from 'react';
import type { FieldOf, ResourceRecord } from '../../../engine/definitions/definition';
import { computeValues } from '../../../engine/expressions/evaluate';
import { computedColumns } from '../../../engine/field-types/rows';
import { localTimeZone } from '../../../engine/formats/time-zone';
import { localToday } from '../../data/localTime';

/** The rows with their computed columns, as they follow from what is typed; none where no column is computed. */
export function useComputedRows(field: FieldOf<'rows'>, rows: readonly ResourceRecord[]): readonly ResourceRecord[] {
  const [now] = useState(() => new Date().toISOString());
  return useMemo(() => {
    if (computedColumns(field).length === 0) return [];
    const evaluationContext = { today: localToday(), now, timeZone: localTimeZone() };
    return rows.map((row) => computeValues({ fields: field.columns }, row, evaluationContext));
  }, [field, rows, now]);
}
