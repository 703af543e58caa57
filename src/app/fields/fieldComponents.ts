import type { ComponentType } from 'react';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import type { ChoiceSource } from '../choices/choice';

/** Props of every field input; of one that suits a single type, with the fields of that type. */
export interface InputProps<Of extends Field = Field> {
  /** The id of the control; its label has the id `{id}-label`. */
  id: string;
  field: Of;
  /** Undefined or null: empty. */
  value: unknown;
  /** Undefined or null clears the value. Text that cannot be parsed is passed on as it is, for validation to reject. */
  onChange: (value: unknown) => void;
  required?: boolean;
  readOnly?: boolean;
  /** Shows a lock: this field is read-only while others are not. */
  locked?: boolean;
  invalid?: boolean;
  /** Ids of the hint and the error. */
  describedBy?: string;
  autoFocus?: boolean;
  placeholder?: string;
  /** 32 px high, for toolbars and filters. */
  size?: 'small' | 'medium';
  /** relation, relations, select: where the choices come from. */
  choices?: ChoiceSource;
  /** date: the earliest allowed day, and the label of its field. */
  notBefore?: { value: unknown; label: string };
  /** The stored value, for inputs that mark changes. */
  stored?: unknown;
  /** shareLink: the record whose link the user may renew or revoke. */
  owner?: { resource: string; id: string };
  /** Reports text that is no valid value; undefined once it is. */
  onProblem?: (message: string | undefined) => void;
}

/** Props of every cell; of one that suits a single type, with the fields of that type. */
export interface CellProps<Of extends Field = Field> {
  field: Of;
  value: unknown;
  record: ResourceRecord;
  /** The record's definition. */
  definition: Definition;
  registry: Registry;
  /** In a grid: whether this cell has the keyboard focus. Its contents are reached through the cell, not by Tab. */
  focused?: boolean;
}

/** The components of a field type. */
export interface FieldComponents<Of extends Field = Field> {
  Input: ComponentType<InputProps<Of>>;
  /** One line, for grids and cards. Renders nothing without a value. */
  Cell: ComponentType<CellProps<Of>>;
  /** Shown below the heading of a section that contains only this field. */
  Aside?: ComponentType;
  /** The input's buttons change the record at once, independent of saving. */
  actsAtOnce?: boolean;
}
