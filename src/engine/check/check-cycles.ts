import { isRelation } from '../field-types/relation';
import type { Definition } from '../definitions/definition';
import { joinPointer, type Problem } from '../definitions/problems';
import type { Registry } from '../registry/registry';

/**
 * Finds cycles between definitions that make them unusable. The problem is reported on the definition where the cycle
 * starts.
 */
export function checkCycles(definition: Definition, registry: Registry): Problem[] {
  return [
    ...requiredCycles(definition, registry),
    ...withinCycles(definition, registry),
    ...cascadeCycles(definition, registry),
  ];
}

/** Relations that require one another: not one record of any of them could ever be created. */
function requiredCycles(definition: Definition, registry: Registry): Problem[] {
  return requiredRelations(definition).flatMap(({ name, target }) => {
    const path = findPathBack(target, definition.name, (resource) => requiredOf(registry, resource));
    if (!path) return [];
    const circle = [definition.name, ...path].join(' → ');
    return [
      {
        path: joinPointer('/fields', name, 'required'),
        message: `No record could ever be created: ${circle} require each other.`,
      },
    ];
  });
}

function requiredRelations(definition: Definition): { name: string; target: string }[] {
  return Object.values(definition.fields).flatMap((field) =>
    isRelation(field) && field.required ? [{ name: field.name, target: field.to }] : [],
  );
}

function requiredOf(registry: Registry, name: string): string[] {
  return requiredRelations(registry.get(name) ?? emptyDefinition).map(({ target }) => target);
}

/** A record within itself would be hidden by itself. */
function withinCycles(definition: Definition, registry: Registry): Problem[] {
  const containersOf = ({ fields }: Definition) =>
    Object.values(fields)
      .filter((field) => isRelation(field))
      .filter(({ container }) => container);
  return containersOf(definition).flatMap(({ name, to: target }) => {
    const path = findPathBack(target, definition.name, (resource) =>
      containersOf(registry.get(resource) ?? emptyDefinition).map((container) => container.to),
    );
    if (!path) return [];
    const circle = [definition.name, ...path].join(' → ');
    return [
      { path: joinPointer('/fields', name, 'container'), message: `A record cannot be within itself: ${circle}.` },
    ];
  });
}

/** Two resources that archive each other would never finish. */
function cascadeCycles(definition: Definition, registry: Registry): Problem[] {
  const followers = ({ archive }: Definition) =>
    (archive?.cascade ?? []).map((path) => path.slice(0, path.indexOf('.')));
  return followers(definition).flatMap((name, index) => {
    const path = findPathBack(name, definition.name, (resource) =>
      followers(registry.get(resource) ?? emptyDefinition),
    );
    if (!path) return [];
    const circle = [definition.name, ...path].join(' → ');
    return [
      { path: joinPointer('/archive/cascade', index), message: `These archive each other in a cycle: ${circle}.` },
    ];
  });
}

function findPathBack(
  start: string,
  goal: string,
  next: (from: string) => readonly string[],
  visitedNames = new Set<string>(),
): string[] | undefined {
  if (start === goal) return [goal];
  if (visitedNames.has(start)) return undefined;
  visitedNames.add(start);
  for (const neighbour of next(start)) {
    const path = findPathBack(neighbour, goal, next, visitedNames);
    if (path) return [start, ...path];
  }
  return undefined;
}

const emptyDefinition = { fields: {}, archive: null } as unknown as Definition;
