import { createContext, use, type ReactNode } from 'react';
import type { Definition, RequestDefinition, ResourceRecord, ShownAnswer } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';

/** A record's form in a dialog. */
export interface OpenedForm {
  kind: 'form';
  definition: Definition;
  mode: FormMode;
  /** The record to show, change or copy. */
  id?: string;
  /** Initial values of a new record. */
  preset?: ResourceRecord;
  /** Fields of `preset` that the user cannot change. */
  fixedFields?: readonly string[];
  /** Pixels, or a share such as `90%`; the definition's own where it is left out. */
  width?: number | string;
  onSaved?: (record: ResourceRecord) => void;
  /** A secret that is shown once, above the form. */
  shownAnswer?: ShownAnswer;
}

/** The dialog of a request on a record. */
export interface OpenedRequest {
  kind: 'request';
  definition: Definition;
  request: RequestDefinition;
  id: string;
}

/** A page rendered by the server, such as a mail, or a secret that is shown once. */
export interface OpenedPage extends ShownAnswer {
  kind: 'page';
}

/** A question before something is done. */
export interface OpenedQuestion {
  kind: 'question';
  title: string;
  question: string;
  run: () => Promise<void>;
}

/** The palette of a record, or of one of its fields. */
export interface OpenedPalette {
  kind: 'palette';
  definition: Definition;
  id: number;
  /** The record as users know it. */
  title: string;
  field?: string;
}

/** A dialog that a screen of the product draws itself. */
export interface OpenedDrawing {
  kind: 'drawing';
  draw: (onClose: () => void) => ReactNode;
}

export type OpenedDialog = OpenedForm | OpenedRequest | OpenedPage | OpenedQuestion | OpenedPalette | OpenedDrawing;

export const OpenDialogContext = createContext<(dialog: OpenedDialog) => void>(() => {});

/**
 * Returns a function that opens a dialog without a route. It stays open until it is closed or the browser goes back.
 *
 * @example useOpenDialog()({ kind: 'form', definition, mode: 'edit', id: '7' });
 */
export function useOpenDialog(): (dialog: OpenedDialog) => void {
  return use(OpenDialogContext);
}
