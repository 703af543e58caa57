import { parentFieldsOf } from '../forms/dependent-fields';
import type { Definition, Field } from '../definitions/definition';
import type { Registry } from '../registry/registry';
import { columnTypeOf } from '../field-types';
import { isRelation } from '../field-types/relation';
import { isRelations } from '../field-types/relations';

/** Why a record is offered before the others. */
export type RelevanceReason = 'shared' | 'yours' | 'recent';

/** The relations that make records of a resource relevant to the user who chooses among them. */
export interface Relevance {
  /** Fields of the current record, and those of the target that can refer to the same record. */
  readonly shared: readonly { readonly own: readonly string[]; readonly theirs: readonly string[] }[];
  /** Relations of the target to people; `id` if the targets are people. */
  readonly yours: readonly string[];
}

/**
 * Whether records of a resource are offered in a meaningful order, such as priorities, or are shipped with the program.
 * Those always keep that order; others are offered by relevance.
 *
 * @example hasMeaningfulOrder(priorities); // true
 */
export function hasMeaningfulOrder({ rows, fields, titleField, list: { sort } }: Definition): boolean {
  const isKept = sort.order === 'ASC' || !(fields[sort.field]?.system ?? true);
  return rows !== null || (isKept && sort.field !== titleField);
}

/**
 * The relevance of the records of `target`; undefined if they have an order of their own. `origin` is the field to set
 * and its definition: targets that share relations with its record are more relevant.
 *
 * @example relevanceOf(registry, users, { definition: tasks, field: assignee });
 */
export function relevanceOf(
  registry: Registry,
  target: Definition,
  origin?: { readonly definition: Definition; readonly field: Field },
): Relevance | undefined {
  if (hasMeaningfulOrder(target)) return undefined;
  const people = target.fields.created_by?.to;
  const personFields = Object.values(target.fields).filter(
    (field) => field.to === people && !field.system && isStored(field),
  );
  return {
    shared: origin ? sharedRelations(registry, target, origin.definition, origin.field, people) : [],
    yours: target.name === people ? ['id'] : personFields.map(({ name }) => name),
  };
}

function isStored(field: Field): boolean {
  return isRelations(field) || columnTypeOf(field) !== null;
}

function sharedRelations(
  registry: Registry,
  target: Definition,
  definition: Definition,
  field: Field,
  people: string | undefined,
): Relevance['shared'] {
  const narrowingNames = parentFieldsOf(field);
  const leadsToRecord = (candidate: Field) =>
    isRelation(candidate) && !candidate.system && columnTypeOf(candidate) !== null;
  const ownRelations = Object.values(definition.fields).filter(
    (candidate) => leadsToRecord(candidate) && candidate !== field && !narrowingNames.includes(candidate.name),
  );
  const sharedTargets = [...new Set(ownRelations.flatMap((relation) => relation.to ?? []))].filter((name) => {
    const targetDefinition = registry.get(name);
    return (
      name !== people && name !== target.name && targetDefinition !== undefined && !hasMeaningfulOrder(targetDefinition)
    );
  });
  return sharedTargets
    .map((sharedTarget) => ({
      own: ownRelations.filter((relation) => relation.to === sharedTarget).map(({ name }) => name),
      theirs: Object.values(target.fields)
        .filter((candidate) => leadsToRecord(candidate) && candidate.to === sharedTarget)
        .map(({ name }) => name),
    }))
    .filter(({ theirs: targetFields }) => targetFields.length > 0);
}
