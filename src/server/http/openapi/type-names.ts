import type { Registry } from '../../../engine/definitions/registry';
import { typeName } from './components';

const known = new WeakMap<Registry, ReadonlyMap<string, string>>();

/** The name of a resource's records as a type: that of one record, or of the resource where two are called the same. */
export function typeOf(registry: Registry, resource: string): string {
  let names = known.get(registry);
  if (!names) known.set(registry, (names = typeNames(registry)));
  return names.get(resource)!;
}

function typeNames(registry: Registry): ReadonlyMap<string, string> {
  const definitions = [...registry.definitions.values()];
  const wanted = definitions.map(({ labels }) => typeName(labels.one));
  return new Map(
    definitions.map(({ name }, index) => {
      const own = wanted[index]!;
      const isFree = own !== '' && wanted.filter((other) => other === own).length === 1;
      return [name, isFree ? own : typeName(name) || `Resource${index + 1}`];
    }),
  );
}
