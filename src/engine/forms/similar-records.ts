import type { Definition, Field } from '../definitions/definition';
import { isRelation } from '../field-types/relation';

/** A text with fewer characters is similar to too much. */
export const minComparedLength = 4;

/**
 * The relations of which similar records have the same target, if it is chosen: records of different companies, or within
 * different targets, are not the same thing.
 *
 * @example narrowingFields(tasks).map(({ name }) => name); // ['project_id', 'site_id']
 */
export function narrowingFields({ fields }: Definition): Field[] {
  return Object.values(fields).filter((field) => isRelation(field) && (field.container || field.name === 'site_id'));
}
