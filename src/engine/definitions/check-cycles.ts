import type { Definition } from './definition';
import { at, type Fault } from './paths';
import type { Registry } from './registry';

/**
 * Relations that require one another in a circle: not one record of any of them could ever be created. The fault is
 * noted with the definition that it begins with.
 */
export function checkCycles(definition: Definition, registry: Registry): Fault[] {
  return requiredRelations(definition).flatMap(({ name, to }) => {
    const way = wayBack(to, definition.name, registry, new Set());
    if (!way) return [];
    const circle = [definition.name, ...way].join(' → ');
    return [
      {
        path: at('/fields', name, 'required'),
        message: `No record could ever be made: ${circle} require one another.`,
      },
    ];
  });
}

function requiredRelations(definition: Definition): { name: string; to: string }[] {
  return Object.values(definition.fields).flatMap((field) =>
    field.type === 'relation' && field.required && field.to !== undefined ? [{ name: field.name, to: field.to }] : [],
  );
}

function wayBack(from: string, goal: string, registry: Registry, seen: Set<string>): string[] | undefined {
  if (from === goal) return [goal];
  if (seen.has(from)) return undefined;
  seen.add(from);
  for (const { to } of requiredRelations(registry.get(from) ?? emptyDefinition)) {
    const way = wayBack(to, goal, registry, seen);
    if (way) return [from, ...way];
  }
  return undefined;
}

const emptyDefinition = { fields: {} } as Definition;
