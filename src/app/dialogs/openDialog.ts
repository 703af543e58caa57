import { createContext, use } from 'react';
import type { Definition, RequestDefinition, ResourceRecord } from '../../engine/definitions/definition';
import type { FormMode } from '../../engine/forms/form-fields';

/** The form of a record in a dialog over whatever is on the screen. */
export interface OpenedForm {
  kind: 'form';
  definition: Definition;
  mode: FormMode;
  /** Of the record that is shown, changed or copied. */
  id?: string;
  /** What a new record starts from. */
  preset?: ResourceRecord;
  /** Fields of `preset` that are not for the user to choose. */
  fixed?: readonly string[];
  /** Pixels, or a share such as `90%`; the definition's own where it is left out. */
  width?: number | string;
}

/** The dialog of a request on a record. */
export interface OpenedRequest {
  kind: 'request';
  definition: Definition;
  request: RequestDefinition;
  id: string;
}

/** A page that the server made, such as a mail, to be looked at. */
export interface OpenedPage {
  kind: 'page';
  title: string;
  html: string;
  text: string;
}

export type OpenedDialog = OpenedForm | OpenedRequest | OpenedPage;

export const OpenDialogContext = createContext<(dialog: OpenedDialog) => void>(() => {});

/** Opens a dialog that has no route of its own; it stays over the screen until it is closed or the browser goes back. */
export function useOpenDialog(): (dialog: OpenedDialog) => void {
  return use(OpenDialogContext);
}
