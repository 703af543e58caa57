import type { Registry } from '../../../../engine/definitions/registry';
import type { KnownNames } from '../../../../engine/studio/schema-suggestions';
import { iconNames } from '../../../icons/icons';

/** Names for completion: the other definitions, their fields, and the icons. */
export function knownNames(registry: Registry): KnownNames {
  return {
    resources: [...registry.definitions.keys()],
    fieldsOf: (resource) => Object.keys(registry.get(resource)?.fields ?? {}),
    relationsTo: (resource) =>
      registry.referencesTo(resource).map(({ definition, field }) => `${definition.name}.${field.name}`),
    icons: iconNames,
  };
}
