import { Level } from '../definitions/level';
import { grantedFields } from '../access/access-decision';
import type { Actor } from '../access/actor';
import type { Definition, Field } from '../definitions/definition';
import { computedKind } from '../conditions/computed-kind';

/** The purpose of a form. `copy` creates a record from another record's values. */
export type FormMode = 'create' | 'edit' | 'view' | 'copy';

/** A named part of the form and its fields, in order. */
export interface FormSection {
  readonly label: string;
  readonly description?: string;
  readonly fields: readonly Field[];
  /** It stands beside the others. */
  readonly rail?: boolean;
  /** It is folded as long as its fields have the values of a new record. */
  readonly folded?: boolean;
  /** Names of its fields that are each behind a button as long as they are empty. */
  readonly onDemand?: readonly string[];
  /** Names of its fields in groups that say the same in different ways. */
  readonly alternatives?: readonly { readonly label: string; readonly fields: readonly string[] }[];
}

/**
 * Whether the form creates a record.
 *
 * @example createsRecord('copy'); // true
 */
export function createsRecord(mode: FormMode): boolean {
  return mode === 'create' || mode === 'copy';
}

/**
 * The sections of a form for an actor. Fields that only the server fills are not shown for a new record, but those
 * computed by an expression are: the form computes them while values are typed. Level 1
 * belongs to no company, so it chooses one for a new record, and sees it later. Fields that an actor may neither read
 * nor write are left out.
 *
 * @example formSections(definition, 'create', actor).map(({ label }) => label); // ['Test Case', 'Procedure']
 */
export function formSections(definition: Definition, mode: FormMode, actor: Actor): FormSection[] {
  const readable = grantedFields(actor, definition, 'view');
  const writable = grantedFields(actor, definition, createsRecord(mode) ? 'create' : 'edit');
  const isShown = (field: Field | undefined): field is Field =>
    field !== undefined &&
    field.name !== 'site_id' &&
    (readable.has(field.name) || writable.has(field.name)) &&
    !(createsRecord(mode) && isFilledByServer(field));
  const sections = definition.form.sections.map((section) => ({
    ...section,
    fields: section.fields.map((name) => definition.fields[name]).filter(isShown),
  }));
  const company = definition.fields.site_id;
  if (company && actor.level === Level.Installation && sections[0]) sections[0].fields.unshift(company);
  return sections.filter((section) => section.fields.length > 0);
}

function isFilledByServer(field: Field): boolean {
  return field.readOnly && field.default === undefined && computedKind(field) !== 'expression';
}
