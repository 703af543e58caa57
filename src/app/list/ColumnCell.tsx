import type { Column, Definition, ResourceRecord } from '../../engine/definitions/definition';
import type { ColumnSource } from '../../engine/lists/column-value';
import { lazyComponent } from '../states/lazyComponent';
import { SourceCell } from './SourceCell';

const load = () => import('./columns/lines');
const PartsCell = lazyComponent(() => load().then((module) => ({ default: module.PartsCell })));
/** The second line of a column that has one. */
export const SecondLine = lazyComponent(() => load().then((module) => ({ default: module.SecondLine })));

interface ColumnCellProps {
  column: Column | undefined;
  definition: Definition;
  source: ColumnSource;
  record: ResourceRecord;
  focused?: boolean;
}

/** The value of a record as its column shows it: as its type does, as a bar, or with a second line. */
export function ColumnCell({ column, definition, source, record, focused }: ColumnCellProps) {
  if (column?.parts) return <PartsCell parts={column.parts} {...{ definition, record }} />;
  return <SourceCell {...{ source, record, focused }} />;
}
