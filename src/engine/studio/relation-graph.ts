import type { Definition, Field } from '../definitions/definition';
import { isRows } from '../field-types/rows';
import { getOrThrow } from '../values/lookups';

/** A module in the picture of relations. */
export interface GraphModule {
  readonly name: string;
  readonly label: string;
  readonly icon: string | undefined;
}

/** Fields of a module that point to another one, or to itself. */
export interface GraphLink {
  readonly from: string;
  readonly to: string;
  /** Labels of the fields, in their order; of a column of rows with its rows: `Lines: Product`. */
  readonly fields: readonly string[];
}

/** Which module points to which. */
export interface RelationGraph {
  readonly modules: readonly GraphModule[];
  readonly links: readonly GraphLink[];
}

/**
 * Which module points to which, by the fields of definitions. Relations that every record has (its company, who created
 * it) are left out: they would connect everything with everything.
 *
 * @example relationGraph(registry.definitions.values()).links; // [{ from: 'tasks', to: 'projects', fields: ['Project'] }]
 */
export function relationGraph(definitions: Iterable<Definition>): RelationGraph {
  const definitionList = [...definitions];
  const knownNames = new Set(definitionList.map(({ name }) => name));
  const modules = definitionList
    .map(({ name, labels, menu }) => ({ name, label: labels.many, icon: menu ? menu.icon : undefined }))
    .sort((left, right) => left.label.localeCompare(right.label));
  const links = definitionList.flatMap(({ name: source, fields }) => {
    const labels = new Map<string, string[]>();
    for (const { to: target, label } of Object.values(fields).flatMap(pointingParts))
      if (knownNames.has(target)) labels.set(target, [...(labels.get(target) ?? []), label]);
    return [...labels].map(([target, fieldLabels]): GraphLink => ({ from: source, to: target, fields: fieldLabels }));
  });
  return { modules, links };
}

/** The relations of a field: its own, or those of the columns of its rows. */
function pointingParts(field: Field): { to: string; label: string }[] {
  if (field.system) return [];
  if (isRows(field))
    return Object.values(field.columns)
      .flatMap(pointingParts)
      .map(({ to: target, label }) => ({ to: target, label: `${field.label}: ${label}` }));
  return field.to === undefined ? [] : [{ to: field.to, label: field.label }];
}

/**
 * The links to a module and those from it, apart from links to itself.
 *
 * @example neighbours(graph, 'projects').from; // [{ from: 'tasks', to: 'projects', fields: ['Project'] }]
 */
export function neighbours(
  { links }: RelationGraph,
  name: string,
): { from: readonly GraphLink[]; to: readonly GraphLink[] } {
  return {
    from: links.filter(({ from: source, to: target }) => target === name && source !== name),
    to: links.filter(({ from: source, to: target }) => source === name && target !== name),
  };
}

/**
 * The modules in columns: a module is left of those that it points to, unless they point back by other modules. Within
 * a column modules are near those that they are connected with. Modules without any relation are left out.
 *
 * @example layOutGraph(relationGraph(registry.definitions.values())); // [['tasks'], ['projects', 'users']]
 */
export function layOutGraph({ modules, links }: RelationGraph): readonly (readonly string[])[] {
  const outerLinks = links.filter(({ from: source, to: target }) => source !== target);
  const connected = modules.filter(({ name }) =>
    outerLinks.some(({ from: source, to: target }) => source === name || target === name),
  );
  const column = columnsOf(
    connected.map(({ name }) => name),
    outerLinks,
  );
  const columns: string[][] = [];
  for (const { name } of connected) (columns[getOrThrow(column, name)] ??= []).push(name);
  return orderColumns(columns, outerLinks);
}

/** The column of each module: the length of the longest way to it, without the links that close a circle. */
function columnsOf(names: readonly string[], links: readonly GraphLink[]): Map<string, number> {
  const targets = new Map(
    names.map((name) => [name, links.filter(({ from: source }) => source === name).map(({ to: target }) => target)]),
  );
  /** In the order of ends: a module comes after everything that it leads to. */
  const finishedNames: string[] = [];
  const visitedNames = new Set<string>();
  const open = new Set<string>();
  const forward = new Map<string, string[]>(names.map((name) => [name, []]));
  const visit = (name: string): void => {
    visitedNames.add(name);
    open.add(name);
    for (const target of getOrThrow(targets, name)) {
      if (open.has(target)) continue;
      getOrThrow(forward, name).push(target);
      if (!visitedNames.has(target)) visit(target);
    }
    open.delete(name);
    finishedNames.push(name);
  };
  for (const name of names) if (!visitedNames.has(name)) visit(name);
  const column = new Map(names.map((name) => [name, 0]));
  for (const name of finishedNames.reverse())
    for (const target of getOrThrow(forward, name))
      column.set(target, Math.max(getOrThrow(column, target), getOrThrow(column, name) + 1));
  // A module that nothing points to stands just before the first one that it points to, which keeps lines short.
  for (const name of names) {
    const next = getOrThrow(forward, name).map((target) => getOrThrow(column, target));
    const isFirst = !names.some((otherName) => getOrThrow(forward, otherName).includes(name));
    if (isFirst && next.length > 0) column.set(name, Math.min(...next) - 1);
  }
  return column;
}

const sweeps = 6;

/** Sorts each column by the mean position of the modules that its modules are connected with. */
function orderColumns(columns: readonly string[][], links: readonly GraphLink[]): string[][] {
  let orderedColumns = columns.map((names) => [...names]);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const positions = new Map(
      orderedColumns.flatMap((names) => names.map((name, index) => [name, (index + 0.5) / names.length] as const)),
    );
    const mean = (name: string) => {
      const neighbourNames = links.flatMap(({ from: source, to: target }) =>
        source === name ? [target] : target === name ? [source] : [],
      );
      return (
        neighbourNames.reduce((sum, neighbour) => sum + getOrThrow(positions, neighbour), 0) / neighbourNames.length
      );
    };
    const meanPositions = new Map([...positions.keys()].map((name) => [name, mean(name)]));
    orderedColumns = orderedColumns.map((names) =>
      names.toSorted((left, right) => getOrThrow(meanPositions, left) - getOrThrow(meanPositions, right)),
    );
  }
  return orderedColumns;
}
