import type { FieldSource } from '../../../../engine/definitions/source';
import type { RowPart } from '../../../../engine/studio/condition-builder';

/** Props of the inputs of a row's value. */
export interface ConditionValueProps {
  row: RowPart;
  /** Whether it compares with several values. */
  many: boolean;
  field: FieldSource;
  label: string;
  onChange: (value: unknown) => void;
}
