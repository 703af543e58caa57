import type { WidgetProps } from '@rjsf/utils';
import type { ComponentType } from 'react';
import type { Definition, Field, ResourceRecord } from '../../engine/definitions/definition';
import type { Registry } from '../../engine/registry/registry';
import type { ChoiceSource } from './choices/choice';

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
  isLocked?: boolean;
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
  /** time: the value that it comes after, which a typed duration counts from, the label of its field, and the day of both. */
  earlierTime?: { value: unknown; label: string; day: string };
  /** The values of other fields that this one is shown with: the currency of an amount. */
  siblingValues?: ResourceRecord;
  /** The stored value, for inputs that mark changes. */
  storedValue?: unknown;
  /** The stored record: of a shareLink, whose link the user may renew or revoke; of a text, with whose values snippets are filled. */
  owner?: { resource: string; id: string };
  /** permissions: the record whose permissions are the limit, if one is chosen. */
  limit?: { resource: string; id: string };
  /** rows: the choices of a column, and the faults of cells by row and column: `[2].amount`. */
  columnChoices?: (column: Field) => ChoiceSource | undefined;
  cellErrors?: Readonly<Record<string, string>>;
  /** files: the resource of the record, for which files are uploaded before it is saved. */
  resource?: string;
  /** rows, textarea with marks, richText: the form, to whose files pasted pictures are added, and whose values fill snippets. */
  recordInForm?: RecordInForm;
  /** Reports why the value is not complete yet, which is shown when the form is saved; undefined once it is. */
  onPending?: (message: string | undefined) => void;
  /** Reports text that is no valid value; undefined once it is. */
  onProblem?: (message: string | undefined) => void;
}

/** The form around an input, for inputs that change other fields too. */
export interface RecordInForm {
  readonly definition: Pick<Definition, 'name' | 'fields'>;
  readonly states: Readonly<Record<string, { readonly visible: boolean; readonly readOnly: boolean }>>;
  readonly form: { readonly values: ResourceRecord; current(): ResourceRecord };
  change(values: ResourceRecord): void;
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

/** How values of a type are shown: what lists need, and what is known before the inputs have been loaded. */
export interface DisplayFacets<Of extends Field = Field> {
  /** One line, for grids and cards; renders nothing without a value. Default: the value as text. */
  readonly Cell?: ComponentType<CellProps<Of>>;
  /** The cell is a link itself, which cannot be nested in the link to the record. */
  readonly isLink?: boolean;
  /** The width of a column in lists of related records, in pixels. Default: 180. */
  readonly relatedWidth?: number;
  /** Text of several lines, which lists of related records show in full. */
  readonly isMultiline?: boolean;
  /** The history marks the words that a change added or removed. */
  readonly hasWordChanges?: boolean;
  /** The initial height of the input in pixels. Default: that of a single line. */
  readonly inputHeight?: (field: Of) => number;
  /** The input is labelled by its section instead of a label of its own. */
  readonly isLabelledBySection?: boolean;
}

/** How values of a type are edited; loaded with the first form. */
export interface InputFacets<Of extends Field = Field> {
  /** The form's input, also used by filters and bulk edits. Default: a line of text. */
  readonly Input?: ComponentType<InputProps<Of>>;
  /** A widget of rjsf, such as one from another package: forms draw it in place of the input. */
  readonly Widget?: ComponentType<WidgetProps>;
  /** Shown below the heading of a section that contains only this field. */
  readonly Aside?: ComponentType;
  /** The input's buttons change the record at once, independent of saving. */
  readonly actsAtOnce?: boolean;
  /** Values are files, pasted ones too: why a file cannot be one, as a message. */
  readonly fileProblem?: (file: File, field: Of) => string | undefined;
  /** The value with a file that was pasted into the form; default: the file itself. */
  readonly withFile?: (value: unknown, file: File) => unknown;
}

/** How the page behind a public link shows values of a type. */
export interface SharedFacets {
  /** Default: the server's text for the value. Not rendered without a value. */
  readonly Value?: ComponentType<{ readonly value: unknown; readonly text: string }>;
  /** Shown as a section of its own instead of among the facts. */
  readonly isSection?: (field: { readonly width: string }) => boolean;
}

/** How the page of a record shows values of a type, where that differs from a cell; loaded with the page. */
export interface PageFacets<Of extends Field = Field> {
  /** Not rendered without a value. Default: the cell. */
  readonly Value?: ComponentType<CellProps<Of>>;
  /** The width that it needs among texts. Default: that of its input. */
  readonly width?: 'half';
}

/** How the studio presents a type. */
export interface StudioFacets<Of extends Field = Field> {
  /** Default: the type's name. */
  readonly label?: string;
  /** The label in the list of fields, where it differs. */
  readonly shortLabel?: string;
  /** Default: that of text. */
  readonly icon?: string;
  /** Whether the form of a new module offers it; the editor of fields offers all types. */
  readonly inNewModules?: boolean;
  /** Whether the cards of a new module show it. */
  readonly onNewCards?: boolean;
  /** A made-up value for the preview of a form without records. `tomorrow` is an instant in ISO 8601. */
  readonly sample?: (field: Of, tomorrow: string) => unknown;
}

/**
 * The parts of a field type that the application has. Each has a default: a type that the application does not know
 * is shown and edited as text. Of a type in a folder beside this file, each part is a module: `display.tsx`,
 * `input.tsx`, `page.tsx`, `shared.tsx`, `studio.ts`.
 */
export interface FieldTypeFacets {
  readonly display?: DisplayFacets;
  readonly input?: InputFacets;
  readonly page?: PageFacets;
  readonly shared?: SharedFacets;
  readonly studio?: StudioFacets;
}
