import { readdirSync, readFileSync } from 'node:fs';
import type { Definition } from '../../src/engine/definitions/definition';
import { normalise } from '../../src/engine/definitions/normalise';
import { createRegistry, type Registry } from '../../src/engine/definitions/registry';
import type { Source } from '../../src/engine/definitions/source';

/** A registry of definition sources. */
export function registryOf(...sources: Source[]): Registry {
  return createRegistry(sources.map(normalise));
}

/** The sources of the shipped definitions. */
export function shippedSources(): Source[] {
  const files = readdirSync('resources').filter((file) => file.endsWith('.json'));
  return files.map((file) => JSON.parse(readFileSync(`resources/${file}`, 'utf8')) as Source);
}

/** A minimal definition with the fields that a test needs. */
export function sourceOf(name: string, fields: Source['fields'], more: Partial<Source> = {}): Source {
  return { name, labels: { one: name, many: `${name}s` }, scope: 'installation', fields, ...more };
}

/** The shipped definitions, normalised. */
export function shippedDefinitions(): Definition[] {
  return shippedSources().map(normalise);
}
