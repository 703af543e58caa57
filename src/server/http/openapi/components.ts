type Json = Record<string, unknown>;
type Kind = 'schemas' | 'parameters' | 'responses';

/** A reference to a named part of the document. */
export interface Reference {
  readonly $ref: string;
}

/**
 * The named parts of an OpenAPI document, which its paths refer to: tools that generate types give them these names.
 *
 * @example
 *   const components = new Components();
 *   components.add('schemas', 'Task', { type: 'object', … }); // { $ref: '#/components/schemas/Task' }
 */
export class Components {
  private readonly parts: Record<Kind, Map<string, string>> = {
    schemas: new Map(),
    parameters: new Map(),
    responses: new Map(),
  };

  /** Adds a part under a name, or under the name with a number if another part has it already. */
  add(kind: Kind, name: string, part: object): Reference {
    const text = JSON.stringify(part);
    const parts = this.parts[kind];
    let free = name;
    for (let number = 2; (parts.get(free) ?? text) !== text; number += 1) free = `${name}${number}`;
    parts.set(free, text);
    return { $ref: `#/components/${kind}/${free}` };
  }

  /** All parts, for the document. */
  toJson(): Record<Kind, Json> {
    const kinds = Object.entries(this.parts) as [Kind, Map<string, string>][];
    return Object.fromEntries(
      kinds.map(([kind, parts]) => [
        kind,
        Object.fromEntries([...parts].map(([name, text]) => [name, JSON.parse(text) as Json])),
      ]),
    ) as Record<Kind, Json>;
  }
}

/** A name for types, as in `TestCase` for "test case". Empty if the text has no letters of the Latin alphabet. */
export function typeName(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
    .replace(/^\d+/, '');
}
