import type { AnyFieldSource } from '../../../engine/language/source';
import type { RowPart } from '../../../engine/studio/condition-builder';

/** Something that stands for a value, such as today. */
export interface VariableOption {
  readonly value: unknown;
  readonly words: string;
}

/** Props of the inputs of a row's value. */
export interface ConditionValueProps {
  row: RowPart;
  /** Whether it compares with several values. */
  isMany: boolean;
  field: AnyFieldSource;
  label: string;
  onChange: (value: unknown) => void;
  /** The variables that can stand for it; default: those of conditions. */
  variables?: readonly VariableOption[];
  /** Whether a variable can stand for several values, too. */
  variablesOfMany?: boolean;
}
