import { checkDefinition } from '../../../../src/engine/check/check-definitions';
import { checkSource } from '../../../../src/engine/check/check-schema';
import { normalise } from '../../../../src/engine/normalise/normalise';
import type { Problem } from '../../../../src/engine/definitions/problems';
import { createRegistry } from '../../../../src/engine/registry/registry';
import type { Source } from '../../../../src/engine/language/source';
import { validateSource, fixtureFiles } from '../../support/definitions';

/** Every shipped definition as written, by name. */
export const shipped: Readonly<Record<string, Source>> = Object.fromEntries(
  fixtureFiles.map(({ text }) => {
    const one = JSON.parse(text) as Source;
    return [one.name, one];
  }),
);

const definitions = Object.values(shipped).map((one) => normalise(one));

/** What is wrong with one definition among the others that are shipped. */
export function faultsOf(source: Source): Problem[] {
  const wrong = checkSource(JSON.parse(JSON.stringify(source)), validateSource);
  if (wrong.length > 0) return wrong;
  const definition = normalise(source);
  const others = definitions.filter(({ name }) => name !== source.name);
  return checkDefinition({ source, definition }, createRegistry([...others, definition]));
}
