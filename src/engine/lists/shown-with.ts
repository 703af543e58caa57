import type { Definition } from '../definitions/definition';
import { fieldTypeOf } from '../field-types';

/**
 * The names of fields, and of those that their values are shown with: an amount needs its currency.
 *
 * @example withShown(deals, ['amount']).has('currency'); // true
 */
export function withShown(definition: Definition, names: Iterable<string>): ReadonlySet<string> {
  const shownNames = new Set(names);
  for (const name of [...shownNames]) {
    const field = Object.hasOwn(definition.fields, name) ? definition.fields[name] : undefined;
    for (const companion of (field && fieldTypeOf(field).shownWith?.(field)) ?? []) shownNames.add(companion);
  }
  return shownNames;
}
