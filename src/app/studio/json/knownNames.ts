import { isPathField, isStoredRelation } from '../../../engine/registry/path-fields';
import type { Registry } from '../../../engine/registry/registry';
import type { KnownNames } from '../../../engine/studio/schema-suggestions';
import { iconNames } from '../../icons/icons';

/** Names for completion: the other definitions, their fields, and the icons. */
export function knownNames(registry: Registry): KnownNames {
  return {
    resources: [...registry.definitions.keys()],
    fieldsOf: (resource) =>
      Object.values(registry.get(resource)?.fields ?? {}).flatMap((field) => (isPathField(field) ? [] : [field.name])),
    relationsOf: (resource) => {
      const relations = Object.values(registry.get(resource)?.fields ?? {}).filter(isStoredRelation);
      return relations.map(({ name, embed = name, to: target }) => ({ name: embed, to: target }));
    },
    relationsTo: (resource) =>
      registry.referencesTo(resource).map(({ definition, field }) => `${definition.name}.${field.name}`),
    icons: iconNames,
  };
}
