import type { Registry } from '../../../src/engine/definitions/registry';
import type { Known } from '../../../src/engine/studio/schema-at';
import { iconNames } from '../../../src/app/icons/icons';

/** Names for completion: the other definitions, their fields, and the icons. */
export function knownOf(registry: Registry): Known {
  return {
    resources: [...registry.definitions.keys()],
    fieldsOf: (resource) => Object.keys(registry.get(resource)?.fields ?? {}),
    relationsTo: (resource) =>
      registry.referencesTo(resource).map(({ definition, field }) => `${definition.name}.${field.name}`),
    icons: iconNames,
  };
}
