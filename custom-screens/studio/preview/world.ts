import type { Actor } from '../../../src/engine/access/actor';
import { allowsRecord, decide } from '../../../src/engine/access/decide';
import { predicateOf } from '../../../src/engine/conditions/evaluate';
import type { Surroundings } from '../../../src/engine/conditions/variables';
import type { Predicate } from '../../../src/engine/conditions/grammar';
import type { Definition, ResourceRecord } from '../../../src/engine/definitions/definition';
import type { Registry } from '../../../src/engine/definitions/registry';
import { localToday } from '../../../src/app/fields/localTime';
import { adapted, readable } from './adapted';

/** Records of other modules that row rules refer to, by relation and id. */
export type Related = Readonly<Record<string, ReadonlyMap<number, ResourceRecord>>>;

/** Everything that a preview is rendered from. */
export interface World {
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

const surroundings = new WeakMap<World, Surroundings>();
const lists = new WeakMap<World, readonly ResourceRecord[]>();

/** The context in which conditions are evaluated in a preview. */
export function surroundingsOf(world: World): Surroundings {
  const known = surroundings.get(world) ?? { actor: world.actor, today: localToday(), now: new Date().toISOString() };
  surroundings.set(world, known);
  return known;
}

/** The stored records that the actor may list; cached. */
export function listed(world: World): readonly ResourceRecord[] {
  const known =
    lists.get(world) ??
    world.stored.map((record) => answered(world, record, 'list')).filter((record) => record !== undefined);
  lists.set(world, known);
  return known;
}

/** A stored record as the actor would get it under the draft; undefined if the rules hide it. */
export function answered(world: World, record: ResourceRecord, action: 'list' | 'view'): ResourceRecord | undefined {
  const { definition, published, actor, related } = world;
  const around = surroundingsOf(world);
  const whole = published ? adapted(record, published, definition, around) : record;
  if (!decide(actor, definition, action).allowed) return undefined;
  const known = Object.entries(related).map(([name, records]) => [
    name,
    records.get(Number(whole[name])) ?? whole[name],
  ]);
  if (!allowsRecord(actor, definition, action, { ...whole, ...Object.fromEntries(known) }, around)) return undefined;
  return readable(whole, definition, actor, action, around);
}

/** The relations that the actor's row rules refer to. */
export function askedRelations(definition: Definition, actor: Pick<Actor, 'level'>): string[] {
  const rules = definition.rules.filter(({ levels, where }) => where && levels.includes(actor.level));
  const names = new Set(rules.flatMap(({ where }) => relationsIn(predicateOf(where!))));
  return [...names].filter((name) => definition.fields[name]?.type === 'relation').sort();
}

function relationsIn(predicate: Predicate): string[] {
  if (predicate.kind === 'some') return [predicate.field];
  if (predicate.kind === 'compare') return [];
  return (predicate.kind === 'not' ? [predicate.of] : predicate.of).flatMap(relationsIn);
}
