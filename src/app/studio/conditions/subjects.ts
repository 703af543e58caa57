import type { AnyFieldSource, FieldSource, Source } from '../../../engine/language/source';
import type { Definition } from '../../../engine/definitions/definition';
import { isPathField } from '../../../engine/registry/path-fields';
import { labelOf } from '../../../engine/definitions/labels';
import { writtenTypeOf } from '../../../engine/field-types';
import { allFields } from '../properties/fieldOptions';

/** A field or variable that a condition can compare. */
export interface Subject {
  /** A field's name, or a variable such as `$actor.level`. */
  readonly name: string;
  readonly label: string;
  readonly field: AnyFieldSource;
}

/** The key of the user's role in conditions. */
export const actorRole = '$actor.role';

const actor: readonly Subject[] = [
  { name: '$actor.level', label: 'The user’s level', field: { type: 'number', integer: true } },
  { name: actorRole, label: 'The user’s role', field: { type: 'select' } },
  { name: '$actor.id', label: 'The user', field: { type: 'number', integer: true } },
];

/** The subjects of conditions on the records of a definition. */
export function draftSubjects(source: Source): Subject[] {
  const fieldSubjects = Object.entries(allFields(source))
    .filter(([, field]) => !writtenTypeOf(field).isHashed && !field.secret)
    .map(([name, field]) => ({ name, label: field.label ?? labelOf(name), field }));
  return [...fieldSubjects, ...actor];
}

/** The subjects of conditions on rows: their columns. */
export function columnSubjects(columns: readonly (readonly [string, FieldSource])[]): Subject[] {
  return [...columns.map(([name, field]) => ({ name, label: field.label ?? labelOf(name), field })), ...actor];
}

/** The subjects of conditions on the records of another module: its fields and its parameters. */
export function moduleSubjects({ fields, parameters }: Definition): Subject[] {
  const fieldSubjects = Object.values(fields)
    .filter((field) => !field.secret && !isPathField(field))
    .map(({ name, label, type, to: target, options, integer }) => ({
      name,
      label,
      field: { type, to: target, options: options && [...options], integer },
    }));
  const parameterSubjects = Object.entries(parameters).map(([name, { label }]) => ({
    name,
    label: label ?? labelOf(name),
    field: {},
  }));
  return [...fieldSubjects, ...parameterSubjects, ...actor];
}
