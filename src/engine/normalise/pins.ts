import { pinNames } from '../field-types/relation';
import type { Definition, Field, FieldOf } from '../definitions/definition';
import { labelOf } from '../definitions/labels';
import type { FieldSource, Source } from '../language/source';

/** The value that takes the present version of a target. */
export const currentVersion = 'current';

/** The message about the only value that a definition can give a version. */
export function currentVersionOnly(name: string): string {
  return `"${name}" is the version of a relation's target, written by the server: it can only be set to "${currentVersion}", which takes the present one.`;
}

/** A draft can have anything in the place of a field; the checks report what is wrong. */
function isPinned(field: Partial<FieldSource> | null): boolean {
  return field?.pin === true && typeof field.to === 'string';
}

/** The fields of a written definition that its relations with `pin` add. */
export function pinFields({ fields }: Pick<Source, 'fields'>): Record<string, FieldSource> {
  const pinnedFields = Object.entries(fields).filter(([, field]) => isPinned(field));
  return Object.fromEntries(
    pinnedFields.flatMap(([name, { label = labelOf(name), formerName }]): [string, FieldSource][] => {
      const { pin, latest, changed: changedName } = pinNames(name);
      return [
        [
          pin,
          {
            type: 'datetime',
            readOnly: true,
            label: `${label} Version`,
            ...(formerName && { formerName: pinNames(formerName).pin }),
          },
        ],
        [latest, { type: 'lookup', source: `${name}.updated_at`, label: `${label} Latest Version` }],
        [
          changedName,
          {
            type: 'boolean',
            computed: { $gt: [`$record.${latest}`, `$record.${pin}`] },
            label: `${label} Changed`,
          },
        ],
      ];
    }),
  );
}

/**
 * The relations of a definition that remember a version.
 *
 * @example pinnedRelations(deals).map(({ name }) => name); // ['terms_id']
 */
export function pinnedRelations({ fields }: Pick<Definition, 'fields'>): FieldOf<'relation'>[] {
  return Object.values(fields).filter((field): field is FieldOf<'relation'> => field.pin === true);
}

/**
 * The relation whose version a field is; undefined for any other field.
 *
 * @example pinnedBy(deals, 'terms_id_pin')?.name; // 'terms_id'
 */
export function pinnedBy({ fields }: Pick<Definition, 'fields'>, name: string): Field | undefined {
  const relation = name.endsWith('_pin') ? fields[name.slice(0, -'_pin'.length)] : undefined;
  return relation?.pin === true ? relation : undefined;
}
