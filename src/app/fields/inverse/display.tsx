import { formatNumber } from '../../../engine/formats/numbers';
import { recordTitleOf } from '../../chips/titleOf';
import type { FieldOf } from '../../../engine/definitions/definition';
import { lazyComponent } from '../../states/lazyComponent';
import type { CellProps, DisplayFacets } from '../fieldType';
import * as styles from '../fields.module.css';

const Strip = lazyComponent(() => import('./Strip').then((module) => ({ default: module.StripOfRecords })));

const Distinct = lazyComponent(() => import('./Distinct').then((module) => ({ default: module.Distinct })));

/** The number of records that reference this one; their names as a tooltip if the response contains them. */
function Cell({ field, value, record, registry }: CellProps<FieldOf<'inverse'>>) {
  const records = Array.isArray(value) ? (value as Record<string, unknown>[]) : undefined;
  if (field.valueStrip && records) return <Strip {...{ field, records, registry }} />;
  if (field.distinctBy && records) return <Distinct {...{ field, records, registry }} />;
  const count = records?.length ?? record[field.countName];
  if (count === undefined || count === null) return null;
  const target = registry.get(field.inverse.resource);
  const names = records?.map((relatedRecord) => recordTitleOf(target, relatedRecord)).join(', ');
  return (
    <span className={`${styles.cellText} num`} title={names || undefined} data-muted={count === 0 || undefined}>
      {typeof count === 'number' ? formatNumber(count) : String(count)}
    </span>
  );
}

export default { Cell } satisfies DisplayFacets<FieldOf<'inverse'>>;
