import type { Registry } from '../../../engine/registry/registry';
import { typeName } from './components';

const namesByRegistry = new WeakMap<Registry, ReadonlyMap<string, string>>();

/** The name of a resource's records as a type: that of one record, or of the resource where two are called the same. */
export function typeOf(registry: Registry, resource: string): string {
  let names = namesByRegistry.get(registry);
  if (!names) namesByRegistry.set(registry, (names = typeNames(registry)));
  return names.get(resource)!;
}

function typeNames(registry: Registry): ReadonlyMap<string, string> {
  const definitions = [...registry.definitions.values()];
  const preferredNames = definitions.map(({ labels }) => typeName(labels.one));
  return new Map(
    definitions.map(({ name }, index) => {
      const preferredName = preferredNames[index]!;
      const isFree =
        preferredName !== '' && preferredNames.filter((candidate) => candidate === preferredName).length === 1;
      return [name, isFree ? preferredName : typeName(name) || `Resource${index + 1}`];
    }),
  );
}
