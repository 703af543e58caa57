import type { ComponentType } from 'react';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/definitions/registry';
import type { ChoiceSource } from '../choices/choice';

/** What an input of any type gets. */
export interface InputProps {
  /** Of the control; its label has the id `{id}-label`. */
  id: string;
  field: Field;
  /** Undefined or null: nothing. */
  value: unknown;
  /** Undefined or null empties. Text that cannot be read is handed on as it is, for the checks to refuse. */
  onChange: (value: unknown) => void;
  required?: boolean;
  readOnly?: boolean;
  /** Shows a lock: read-only while other fields are not. */
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
  /** date: the day that this one may not lie before, and what it is called. */
  notBefore?: { value: unknown; label: string };
  /** The value that is stored, for inputs that mark what has changed. */
  stored?: unknown;
  /** shareLink: the record whose link the actor may make anew or take away. */
  owner?: { resource: string; id: string };
  /** Says what is wrong with text that became no value; undefined when all is well. */
  onProblem?: (message: string | undefined) => void;
}

/** What a cell of any type gets. */
export interface CellProps {
  field: Field;
  value: unknown;
  record: ResourceRecord;
  /** Of the record. */
  definition: Definition;
  registry: Registry;
  /** In a grid: whether the keyboard is on this cell. What is in it is reached through the cell, not by Tab. */
  focused?: boolean;
}

/** How a field type shows in the application. */
export interface FieldPart {
  Input: ComponentType<InputProps>;
  /** One line, for grids and cards. Nothing where there is no value. */
  Cell: ComponentType<CellProps>;
  /** Stands below the name of a section that holds nothing but this field. */
  Aside?: ComponentType;
  /** The input's own buttons change the record at once, whatever saving may change. */
  actsAtOnce?: boolean;
}
