import type { FieldSource, Source } from '../language/source';
import { writtenTypeOf } from '../field-types';
import { isJsonObject, type JsonObject } from '../formats/json';
import type { Reference } from '../language/key';
import { itemAt } from '../values/lookups';

/**
 * The objects that say by their keys what a name refers to, the whole definition first. The object whose entry is called by
 * the name says nothing: its keys are such names too.
 *
 * @example partsAround(reference, [source, tab, { resource: 'deals' }]); // [source, tab] for a key
 */
export function partsAround(reference: Reference, holders: readonly unknown[]): JsonObject[] {
  return (reference.isEntryKey ? holders.slice(0, -1) : holders).filter(isJsonObject);
}

/**
 * Whose fields a definition names, and where they lead. A scope is the name of a resource, or `resource.rows` for the
 * columns of a field with rows; undefined where the definition does not say it.
 */
export class Scopes {
  constructor(private readonly source: Source) {}

  /** The fields of this definition, or the columns of its rows; none of other resources. */
  fieldsOf(scope: string): Readonly<Record<string, FieldSource>> {
    const { name, fields } = this.source;
    if (scope === name) return fields;
    return scope.startsWith(`${name}.`) ? (fields[scope.slice(name.length + 1)]?.fields ?? {}) : {};
  }

  /** Where a field leads: the resource of its records, or its rows. */
  targetOf(scope: string | undefined, name: string): string | undefined {
    const fields = scope === undefined ? {} : this.fieldsOf(scope);
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (!isJsonObject(field)) return undefined;
    const type = writtenTypeOf(field);
    if (type.holds === 'rows') return `${scope}.${name}`;
    if (field.to !== undefined) return field.to;
    if (field.source === undefined) return undefined;
    return field.source.includes('.') ? field.source.split('.')[0] : this.targetOf(scope, field.source);
  }

  /**
   * Whose names stand in a value: those of the definition, or of what `reference.in` names beside or above it.
   *
   * @param holders The objects and lists around the value, the whole definition first.
   */
  scopeOf(reference: Reference, steps: readonly string[], holders: readonly unknown[]): string | undefined {
    const ownScope = this.scopeAt(steps);
    if (reference.in === undefined) return ownScope;
    if (reference.in === 'fields') return `${ownScope}.${steps.at(-2)}`;
    const parts = partsAround(reference, holders);
    if (reference.in === 'field') {
      const name = parts.at(-1)?.field;
      const fieldName = typeof name === 'string' ? name : itemAt(steps, -2);
      return this.source.parameters?.[fieldName]?.resource ?? this.targetOf(ownScope, fieldName);
    }
    for (const holder of parts.slice(1).toReversed()) {
      const value = holder[reference.in];
      if (typeof value !== 'string') continue;
      return value.includes('.') || reference.in !== 'source' ? value.split('.')[0] : this.targetOf(ownScope, value);
    }
    return undefined;
  }

  /** The definition, or the rows of the field whose column is described at a place. */
  private scopeAt(steps: readonly string[]): string {
    const isColumn = steps[0] === 'fields' && steps[2] === 'fields' && steps.length > 3;
    return isColumn ? `${this.source.name}.${steps[1]}` : this.source.name;
  }
}
