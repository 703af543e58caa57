import type { Definition, Field } from '../definitions/definition';
import { isRows } from '../field-types/rows';

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
 * Which module points to which, by the fields of definitions. What every record has (its company, who created it) is left
 * out: it would connect everything with everything.
 *
 * @example relationGraph(registry.definitions.values()).links; // [{ from: 'tasks', to: 'projects', fields: ['Project'] }]
 */
export function relationGraph(definitions: Iterable<Definition>): RelationGraph {
  const all = [...definitions];
  const known = new Set(all.map(({ name }) => name));
  const modules = all
    .map(({ name, labels, menu }) => ({ name, label: labels.many, icon: menu ? menu.icon : undefined }))
    .sort((one, other) => one.label.localeCompare(other.label));
  const links = all.flatMap(({ name: from, fields }) => {
    const labels = new Map<string, string[]>();
    for (const { to, label } of Object.values(fields).flatMap(pointingParts))
      if (known.has(to)) labels.set(to, [...(labels.get(to) ?? []), label]);
    return [...labels].map(([to, own]): GraphLink => ({ from, to, fields: own }));
  });
  return { modules, links };
}

/** The relations of a field: its own, or those of the columns of its rows. */
function pointingParts(field: Field): { to: string; label: string }[] {
  if (field.system) return [];
  if (isRows(field))
    return Object.values(field.columns)
      .flatMap(pointingParts)
      .map(({ to, label }) => ({ to, label: `${field.label}: ${label}` }));
  return field.to === undefined ? [] : [{ to: field.to, label: field.label }];
}

/**
 * What points to a module and what it points to, apart from itself.
 *
 * @example neighbours(graph, 'projects').from; // [{ from: 'tasks', to: 'projects', fields: ['Project'] }]
 */
export function neighbours(
  { links }: RelationGraph,
  name: string,
): { from: readonly GraphLink[]; to: readonly GraphLink[] } {
  return {
    from: links.filter(({ from, to }) => to === name && from !== name),
    to: links.filter(({ from, to }) => from === name && to !== name),
  };
}

/**
 * The modules in columns: a module is left of those that it points to, unless they point back by other modules. Within
 * a column modules are near those that they are connected with. Modules without any relation are left out.
 *
 * @example layOutGraph(relationGraph(registry.definitions.values())); // [['tasks'], ['projects', 'users']]
 */
export function layOutGraph({ modules, links }: RelationGraph): readonly (readonly string[])[] {
  const proper = links.filter(({ from, to }) => from !== to);
  const connected = modules.filter(({ name }) => proper.some(({ from, to }) => from === name || to === name));
  const column = columnsOf(
    connected.map(({ name }) => name),
    proper,
  );
  const columns: string[][] = [];
  for (const { name } of connected) (columns[column.get(name)!] ??= []).push(name);
  return orderColumns(columns, proper);
}

/** The column of each module: the length of the longest way to it, without the links that close a circle. */
function columnsOf(names: readonly string[], links: readonly GraphLink[]): Map<string, number> {
  const targets = new Map(names.map((name) => [name, links.filter(({ from }) => from === name).map(({ to }) => to)]));
  /** In the order of ends: a module comes after everything that it leads to. */
  const ended: string[] = [];
  const seen = new Set<string>();
  const open = new Set<string>();
  const forward = new Map<string, string[]>(names.map((name) => [name, []]));
  const visit = (name: string): void => {
    seen.add(name);
    open.add(name);
    for (const to of targets.get(name)!) {
      if (open.has(to)) continue;
      forward.get(name)!.push(to);
      if (!seen.has(to)) visit(to);
    }
    open.delete(name);
    ended.push(name);
  };
  for (const name of names) if (!seen.has(name)) visit(name);
  const column = new Map(names.map((name) => [name, 0]));
  for (const name of ended.reverse())
    for (const to of forward.get(name)!) column.set(to, Math.max(column.get(to)!, column.get(name)! + 1));
  // What nothing points to stands just before the first that it points to, which keeps lines short.
  for (const name of names) {
    const next = forward.get(name)!.map((to) => column.get(to)!);
    const isFirst = !names.some((other) => forward.get(other)!.includes(name));
    if (isFirst && next.length > 0) column.set(name, Math.min(...next) - 1);
  }
  return column;
}

const sweeps = 6;

/** Sorts each column by the mean position of the modules that its modules are connected with. */
function orderColumns(columns: readonly string[][], links: readonly GraphLink[]): string[][] {
  let ordered = columns.map((names) => [...names]);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    const place = new Map(
      ordered.flatMap((names) => names.map((name, index) => [name, (index + 0.5) / names.length] as const)),
    );
    const mean = (name: string) => {
      const others = links.flatMap(({ from, to }) => (from === name ? [to] : to === name ? [from] : []));
      return others.reduce((sum, other) => sum + place.get(other)!, 0) / others.length;
    };
    const means = new Map([...place.keys()].map((name) => [name, mean(name)]));
    ordered = ordered.map((names) => names.toSorted((one, other) => means.get(one)! - means.get(other)!));
  }
  return ordered;
}
