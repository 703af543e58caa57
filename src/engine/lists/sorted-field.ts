import type { Definition, Field } from '../definitions/definition';

/**
 * The field by which a list can be sorted under a name: its own, or the relation of a path such as `user.email` to what
 * its records are shown by. Undefined if there is none.
 *
 * @example sortedField('user.email', priorities)?.name; // 'created_by'
 */
export function sortedField(name: string, { fields }: Pick<Definition, 'fields'>): Field | undefined {
  const field =
    fields[name] ??
    Object.values(fields).find(({ embed, embedFields }) =>
      embedFields?.some((embeddedName) => `${embed}.${embeddedName}` === name),
    );
  return field?.sortable ? field : undefined;
}
