import { predicateOf } from '../conditions/match-condition';
import { isVariable, type Predicate } from '../conditions/grammar';
import { expandParameters } from '../conditions/parameters';
import { recordFieldsIn } from '../conditions/variables-in';
import { computedKind } from '../conditions/computed-kind';
import { lookupPath, rollupOf } from '../expressions/derivations';
import { placeFields, rollupSource } from '../expressions/placed-fields';
import { sourceFields } from '../expressions/references';
import { isAnyRelation, isRelation } from '../field-types/relation';
import { isRows } from '../field-types/rows';
import type { Action, Condition, Definition, Field } from '../definitions/definition';
import { templateFields } from '../definitions/labels';
import type { Registry } from './registry';
import { rowDefinition, rowsFields } from '../field-types/row-definition';
import { getOrThrow } from '../values/lookups';

/**
 * Resources whose rules read what writes of each other change, such as leave requests that are allowed while the sum of
 * all of them is below a limit. Two such writes at the same moment would not see each other.
 */
export interface RuleGroup {
  /** The name of its first resource. */
  readonly name: string;
  /** Whether what the rules read may include records of other companies. */
  readonly isAcrossCompanies: boolean;
}

const groupsByRegistry = new WeakMap<Registry, ReadonlyMap<string, RuleGroup>>();

/**
 * The group of a resource; undefined if no rule reads, directly or through the rules of others, what a write of the
 * resource changes besides its own record.
 *
 * @example ruleGroupOf(registry, 'leave-requests')?.name; // 'leave-requests'
 */
export function ruleGroupOf(registry: Registry, resource: string): RuleGroup | undefined {
  let groups = groupsByRegistry.get(registry);
  if (!groups) groupsByRegistry.set(registry, (groups = findGroups(registry)));
  return groups.get(resource);
}

/** Resources that are read from others, by name; true: perhaps records of other companies. */
type ReadResources = Map<string, boolean>;

function findGroups(registry: Registry): Map<string, RuleGroup> {
  const readResources = new Map(
    [...registry.definitions].map(([name, definition]) => [name, readByRules(definition, registry)]),
  );
  const edges = new Map([...readResources].map(([name, resources]) => [name, new Set(resources.keys())]));
  // The rules of a write may count what it changes in another resource.
  for (const definition of registry.definitions.values())
    for (const writtenResource of resourcesWrittenWith(definition, registry))
      edges.get(writtenResource)?.add(definition.name);
  const reachable = new Map([...edges.keys()].map((name) => [name, reachableFrom(name, edges)]));
  const groups = new Map<string, RuleGroup>();
  for (const name of [...edges.keys()].sort()) {
    if (groups.has(name)) continue;
    const members = [...getOrThrow(reachable, name)].filter((candidate) => getOrThrow(reachable, candidate).has(name));
    const innerReads = members.flatMap((member) =>
      members.flatMap((otherMember) => getOrThrow(readResources, member).get(otherMember) ?? []),
    );
    if (innerReads.length === 0) continue;
    const group = { name, isAcrossCompanies: innerReads.includes(true) };
    for (const member of members) groups.set(member, group);
  }
  return groups;
}

/** The resources that can be reached from one; itself only if a way leads back to it. */
function reachableFrom(name: string, edges: ReadonlyMap<string, ReadonlySet<string>>): ReadonlySet<string> {
  const names = new Set<string>();
  const open = [name];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    for (const neighbour of edges.get(current) ?? []) {
      if (names.has(neighbour)) continue;
      names.add(neighbour);
      open.push(neighbour);
    }
  }
  return names;
}

/** The resources of which records are created, changed or deleted in one transaction with a change of a record. */
function resourcesWrittenWith({ name, requests, automations, archive }: Definition, registry: Registry): string[] {
  const steps = automations.flatMap(({ steps: automationSteps }) => automationSteps);
  const references = [
    ...registry.referencesTo(name),
    ...registry.rowReferencesTo(name).map(({ definition, column }) => ({ definition, field: column })),
  ];
  return [
    ...Object.values(requests).flatMap(({ adds: addition }) => (addition ? [addition.resource] : [])),
    ...steps.flatMap((step) => (step.kind === 'create' ? [step.resource] : [])),
    // Every record names its author, so that users would be written with all of them.
    ...references.flatMap(({ definition, field }) =>
      field.onDelete === 'restrict' || field.system ? [] : [definition.name],
    ),
    ...(archive?.cascade ?? []).map((path) => path.slice(0, path.indexOf('.'))),
  ];
}

/** Whether records of several companies may refer to the same record. */
const isShared = ({ scope }: Definition): boolean => scope === 'installation' || scope === 'both';

const writes: ReadonlySet<Action> = new Set(['create', 'edit', 'delete']);

/** The resources whose records decide whether a record of a definition may be stored, besides that record. */
function readByRules(definition: Definition, registry: Registry): ReadResources {
  const reader = new RuleReader(definition, registry);
  const fields = Object.values(definition.fields);
  const conditions = [
    ...fields.flatMap(({ visible, requiredWhen, readOnlyWhen }) => [visible, requiredWhen, readOnlyWhen]),
    ...fields.flatMap(({ transitions = [] }) => transitions.map(({ where: condition }) => condition)),
    ...definition.validate.flatMap(({ condition, where: scopeCondition }) => [condition, scopeCondition]),
    ...definition.rules.flatMap(({ actions, where: condition }) =>
      actions.some((action) => writes.has(action)) ? [condition] : [],
    ),
    ...Object.values(definition.requests).flatMap(({ where: condition, visible }) => [
      condition,
      ...Object.values(visible),
    ]),
    ...definition.automations.map(({ where: condition }) => condition),
  ];
  for (const condition of conditions) if (condition) reader.addCondition(condition, definition);
  fields.forEach((field) => reader.addChoices(field));
  for (const field of rowsFields(definition)) {
    const rows = rowDefinition(definition, field);
    for (const column of Object.values(field.columns)) {
      if (column.requiredWhen) reader.addCondition(column.requiredWhen, rows);
      reader.addChoices(column);
    }
  }
  return reader.resources;
}

/** Collects what conditions read, from the records of one definition on. */
class RuleReader {
  readonly resources: ReadResources = new Map();
  private readonly visited = new Set<Field>();

  constructor(
    private readonly root: Definition,
    private readonly registry: Registry,
  ) {}

  /** Adds what a condition on records of a definition reads; `$form` and `$record` are of the first record. */
  addCondition(condition: Condition, definition: Definition): void {
    this.addPredicate(predicateOf(condition), definition);
    for (const name of recordFieldsIn(condition)) this.addField(this.root, name);
  }

  addChoices(field: Field): void {
    const target = isAnyRelation(field) ? this.registry.get(field.to) : undefined;
    if (!target || !isAnyRelation(field) || !field.choices) return;
    if (!this.isAloneInTree(field)) this.addResource(target);
    this.addCondition(expandParameters(field.choices, target), target);
  }

  /** Whether a field is the only one whose choices are records of its own kind: those never refer to each other in a circle. */
  private isAloneInTree(field: Field): boolean {
    const { name, fields } = this.root;
    const parents = Object.values(fields).filter(
      (candidate) => isRelation(candidate) && candidate.to === name && candidate.choices,
    );
    return parents.length === 1 && parents[0] === field;
  }

  private addResource(target: Definition, isAcross = false): void {
    const wasAcross = this.resources.get(target.name) ?? false;
    this.resources.set(target.name, wasAcross || isAcross || isShared(target));
  }

  private addPredicate(predicate: Predicate, definition: Definition): void {
    if (predicate.kind === 'compare') {
      if (!isVariable(predicate.left)) this.addField(definition, predicate.left);
    } else if (predicate.kind === 'not') this.addPredicate(predicate.of, definition);
    else if (predicate.kind !== 'some') predicate.of.forEach((part) => this.addPredicate(part, definition));
    else {
      const target = this.step(definition, predicate.field);
      if (target) this.addPredicate(predicate.of, target);
    }
  }

  /** Goes on to what a field refers to, to what points here, or to the rows of a record. */
  private step(definition: Definition, name: string): Definition | undefined {
    const field = placeFields(definition, [name])[0]?.field;
    if (field && isRows(field)) return rowDefinition(definition, field);
    const target = this.registry.get(field?.to ?? field?.inverse?.resource);
    if (target) this.addResource(target, field?.inverse !== undefined && isShared(definition));
    return target;
  }

  private addField(definition: Definition, name: string): void {
    const field = placeFields(definition, [name])[0]?.field;
    if (!field || this.visited.has(field)) return;
    this.visited.add(field);
    if (isRows(field))
      for (const column of Object.keys(field.columns)) this.addField(rowDefinition(definition, field), column);
    const kind = computedKind(field);
    if (kind === 'lookup') this.addPath(definition, lookupPath(field));
    else if (kind === 'rollup') this.addRollup(definition, field);
    else if (kind === 'condition') this.addPredicate(predicateOf(field.computed as Condition), definition);
    else if (kind === 'expression') sourceFields(field).forEach((source) => this.addField(definition, source));
    else if (kind === 'template')
      for (const path of templateFields(field.computed as string)) this.addPath(definition, path.split('.'));
  }

  /** Adds what a path reads whose steps are relations, or the names of their embeds, with a field at its end. */
  private addPath(definition: Definition, [name, ...rest]: readonly string[]): void {
    if (name === undefined) return;
    const relation = Object.values(definition.fields).find((field) => field.embed === name)?.name ?? name;
    if (rest.length === 0) return this.addField(definition, name);
    const target = this.step(definition, relation);
    if (target) this.addPath(target, rest);
  }

  private addRollup(definition: Definition, field: Field): void {
    const rollup = rollupOf(field);
    const source = rollupSource(definition, field, this.registry.definitions);
    if (!source) return;
    if (rollup.rows === undefined) {
      this.addResource(source, isShared(definition));
      this.addContainers(source);
    }
    for (const name of [rollup.field, rollup.by]) if (name !== undefined) this.addField(source, name);
    if (rollup.where) this.addPredicate(predicateOf(rollup.where), source);
  }

  /** Adds the resources in whose archive the records of another are, too, and then count nowhere. */
  private addContainers(definition: Definition, path: readonly Definition[] = [definition]): void {
    for (const { name, container } of Object.values(definition.fields)) {
      const target = container ? this.step(definition, name) : undefined;
      if (target && !path.includes(target)) this.addContainers(target, [...path, target]);
    }
  }
}
