type Json = Record<string, unknown>;
type Kind = 'schemas' | 'parameters' | 'requestBodies' | 'responses';

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
    requestBodies: new Map(),
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

  /**
   * Adds a part that several paths may have: under the shared name if that is free or names the same part, otherwise
   * under the own name.
   */
  share(kind: Kind, sharedName: string, ownName: string, part: object): Reference {
    const sharedPart = this.parts[kind].get(sharedName);
    return this.add(kind, sharedPart === undefined || sharedPart === JSON.stringify(part) ? sharedName : ownName, part);
  }

  /** Adds a part under a name, unless one that says the same has another name. */
  reuse(kind: Kind, name: string, part: object): Reference {
    const text = JSON.stringify(part);
    const equalPart = [...this.parts[kind]].find(([, partText]) => partText === text);
    return this.add(kind, equalPart?.[0] ?? name, part);
  }

  /** The part that a reference names. */
  get({ $ref }: Reference): Json {
    const [kind, name] = $ref.split('/').slice(2) as [Kind, string];
    return JSON.parse(this.parts[kind].get(name)!) as Json;
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
