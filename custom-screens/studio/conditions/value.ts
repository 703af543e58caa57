import type { FieldSource } from '../../../src/engine/definitions/source';
import type { Row } from '../../../src/engine/studio/condition-builder';

/** Props of the inputs of a row's value. */
export interface ValueProps {
  row: Row;
  /** Whether it compares with several values. */
  many: boolean;
  field: FieldSource;
  label: string;
  onChange: (value: unknown) => void;
}
