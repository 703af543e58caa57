import type { Definition } from '../../engine/definitions/definition';
import { createsRecord, type FormMode } from '../../engine/forms/form-fields';

/** The title of a form; a read-only form of an existing record has the view title. */
export function formTitle({ titles }: Definition, mode: FormMode, readOnly: boolean): string {
  return readOnly && !createsRecord(mode) ? titles.view : titles[mode];
}

/** The text of the toast after saving. */
export function savedMessage({ toasts }: Definition, mode: FormMode): string {
  if (mode === 'copy') return toasts.copied;
  return mode === 'create' ? toasts.created : toasts.updated;
}
