import type { Field } from '../definitions/definition';

/** The fields of the same form on which a field's choices depend: the `$form.…` in them. */
export function parentsOf(field: Pick<Field, 'choices'>): string[] {
  const names = new Set<string>();
  const search = (part: unknown): void => {
    if (typeof part === 'string') {
      const name = /^\$form\.([A-Za-z_]\w*)/.exec(part)?.[1];
      if (name) names.add(name);
    } else if (typeof part === 'object' && part !== null) {
      for (const [key, value] of Object.entries(part)) {
        search(key);
        search(value);
      }
    }
  };
  search(field.choices);
  return [...names];
}

/** The fields whose choices depend on a field. */
export function dependentsOf(fields: readonly Field[], name: string): Field[] {
  return fields.filter((field) => parentsOf(field).includes(name));
}
