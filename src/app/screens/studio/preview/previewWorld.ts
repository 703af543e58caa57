import type { Actor } from '../../../../engine/access/actor';
import { isAmong, type RoleHolder } from '../../../../engine/access/audience';
import { isAllowedOnRecord, decideAccess } from '../../../../engine/access/access-decision';
import { predicateOf } from '../../../../engine/conditions/match-condition';
import type { EvaluationContext } from '../../../../engine/conditions/variables';
import { relatedTestsIn } from '../../../../engine/conditions/related-tests';
import type { Definition, ResourceRecord } from '../../../../engine/definitions/definition';
import type { Registry } from '../../../../engine/definitions/registry';
import { isRelation } from '../../../../engine/field-types/relation';
import { localToday } from '../../../fields/localTime';
import { convertRecord, hideUnreadableFields } from './convertRecord';

/** Records of other modules that row rules refer to, by relation and id. */
export type Related = Readonly<Record<string, ReadonlyMap<number, ResourceRecord>>>;

/** Everything that a preview is rendered from. */
export interface PreviewWorld {
  /** The draft; it replaces the published definition in the registry. */
  readonly definition: Definition;
  /** The definition that the records were stored under; undefined for a new module. */
  readonly published: Definition | undefined;
  readonly registry: Registry;
  readonly actor: Actor;
  /** The company whose records are shown. */
  readonly company: number | null;
  /** The records as they are stored. */
  readonly stored: readonly ResourceRecord[];
  readonly related: Related;
}

const evaluationContexts = new WeakMap<PreviewWorld, EvaluationContext>();
const listCache = new WeakMap<PreviewWorld, readonly ResourceRecord[]>();

/** The context in which conditions are evaluated in a preview. */
export function evaluationContextOf(world: PreviewWorld): EvaluationContext {
  const known = evaluationContexts.get(world) ?? {
    actor: world.actor,
    today: localToday(),
    now: new Date().toISOString(),
  };
  evaluationContexts.set(world, known);
  return known;
}

/** The stored records that the actor may list; cached. */
export function listedRecords(world: PreviewWorld): readonly ResourceRecord[] {
  const known =
    listCache.get(world) ??
    world.stored.map((record) => visibleRecord(world, record, 'list')).filter((record) => record !== undefined);
  listCache.set(world, known);
  return known;
}

/** A stored record as the actor would get it under the draft; undefined if the rules hide it. */
export function visibleRecord(
  world: PreviewWorld,
  record: ResourceRecord,
  action: 'list' | 'view',
): ResourceRecord | undefined {
  const { definition, published, actor, related } = world;
  const around = evaluationContextOf(world);
  const whole = published ? convertRecord(record, published, definition, around) : record;
  if (!decideAccess(actor, definition, action).allowed) return undefined;
  const known = Object.entries(related).map(([name, records]) => [
    name,
    records.get(Number(whole[name])) ?? whole[name],
  ]);
  if (!isAllowedOnRecord(actor, definition, action, { ...whole, ...Object.fromEntries(known) }, around))
    return undefined;
  return hideUnreadableFields(whole, definition, actor, action, around);
}

/** The relations that the actor's row rules refer to. */
export function ruleRelations(definition: Definition, actor: RoleHolder): string[] {
  const rules = definition.rules.filter((rule) => rule.where && isAmong(actor, rule));
  const names = new Set(rules.flatMap(({ where }) => relatedTestsIn(predicateOf(where!)).map(({ field }) => field)));
  return Object.values(definition.fields)
    .filter((field) => names.has(field.name) && isRelation(field))
    .map(({ name }) => name)
    .sort();
}
