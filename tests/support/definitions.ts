import type { Definition } from '../../src/engine/definitions/definition';
import { normalise } from '../../src/engine/normalise/normalise';
import { createRegistry, type Registry } from '../../src/engine/registry/registry';
import type { Source } from '../../src/engine/language/source';
import { product as fixture } from '../fixtures/product';
import { readDefinitionFolders, type DefinitionFiles } from '../../src/server/definitions/folder';

/** A registry of definition sources. */
export function registryOf(...sources: Source[]): Registry {
  return createRegistry(sources.map(normalise));
}

/** The definitions and rows that ship with the program and its product. */
export function shippedFiles(): DefinitionFiles {
  return readDefinitionFolders({ system: 'system', product: 'resources' });
}

/** The definitions and rows of the system and of the fixture product. */
export function fixtureFiles(): DefinitionFiles {
  return readDefinitionFolders({ system: 'system', product: fixture.folder });
}

/** Their sources. */
export function fixtureSources(): Source[] {
  return fixtureFiles().definitions.map(({ text }) => JSON.parse(text) as Source);
}

/** Their definitions, normalised. */
export function fixtureDefinitions(): Definition[] {
  return fixtureSources().map(normalise);
}

/** The sources of the shipped definitions. */
export function shippedSources(): Source[] {
  return shippedFiles().definitions.map(({ text }) => JSON.parse(text) as Source);
}

/** A minimal definition with the fields that a test needs. */
export function sourceOf(name: string, fields: Source['fields'], more: Partial<Source> = {}): Source {
  return { name, labels: { one: name, many: `${name}s` }, scope: 'installation', fields, ...more };
}

/** The shipped definitions, normalised. */
export function shippedDefinitions(): Definition[] {
  return shippedSources().map(normalise);
}
