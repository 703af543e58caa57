import { normalise } from '../../../src/engine/normalise/normalise';
import type { Definition, Field } from '../../../src/engine/definitions/definition';
import { readDefinitions, type DefinitionFile, type ReadDefinitions } from '../../../src/engine/check/read-definitions';
import type { AnyFieldSource, FieldSource, Source } from '../../../src/engine/language/source';
import { createSourceValidator } from '../../../src/server/definitions/source-validator';
import { fixtureFiles as shipped } from '../../support/definitions';

export const validateSource = createSourceValidator();

/** The definitions that ship with the program and its product. */
export const fixtureFiles: readonly DefinitionFile[] = shipped().definitions;

/** A small definition that is right, with something added. */
export function source(extra: Partial<Source> = {}): Source {
  return {
    name: 'things',
    labels: { one: 'Thing', many: 'Things' },
    scope: 'installation',
    fields: { name: { required: true } },
    ...extra,
  };
}

/** The definitions that every other may point to, so that each case needs only its own. */
export const neighbours: Source[] = [
  source({ name: 'users', labels: { one: 'User', many: 'Users' } }),
  source({ name: 'sites', labels: { one: 'Site', many: 'Sites' }, scope: 'self' }),
];

/** Reads definitions as if each lay in a file of its own. */
export function readSources(...sources: object[]): ReadDefinitions {
  const files = [...neighbours, ...sources].map((one) => ({
    file: `${(one as Source).name}.json`,
    text: JSON.stringify(one, null, 2),
  }));
  return readDefinitions(files, validateSource);
}

/** A field of a definition that holds nothing else. */
export function field(written: AnyFieldSource, name = 'value'): Field {
  return definition({ fields: { [name]: written as FieldSource } }).fields[name]!;
}

export function definition(extra: Partial<Source> = {}): Definition {
  return normalise(source(extra));
}
