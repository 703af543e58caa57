import type { ResourceRecord } from '../../../engine/definitions/definition';
import type { RecordInForm } from '../fieldType';

/** The record whose values a snippet is filled with. */
export interface SnippetSubject {
  readonly resource: string;
  /** Of a stored record. */
  readonly id?: string | number;
  /** The values in the form around the text, which count before the stored ones. */
  readonly values?: () => ResourceRecord;
}

/**
 * The record that a text in a form is part of; undefined in the form of a snippet, whose placeholders stay.
 *
 * @example const subject = snippetSubject(props);
 */
export function snippetSubject({
  owner,
  recordInForm,
}: {
  owner?: { resource: string; id: string };
  recordInForm?: RecordInForm;
}): SnippetSubject | undefined {
  if (!recordInForm || recordInForm.definition.name === 'snippets') return undefined;
  const values = () => recordInForm.form.current();
  return owner ? { ...owner, values } : { resource: recordInForm.definition.name, values };
}
