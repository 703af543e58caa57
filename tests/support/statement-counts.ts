import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Definition, ResourceRecord } from '../../src/engine/definitions/definition';
import { isRelation } from '../../src/engine/field-types/relation';
import { isGroupable } from '../../src/engine/lists/groupable';
import { writableFields } from '../../src/engine/validation/record-schema';
import type { Client, DemoProgram } from './program';
import { sampleRecord, unwrap } from './samples';
import type { CallCost, watchStatements } from './statement-costs';

/** Numbers of statements by call: one number if everybody may make the call and it costs all the same, else by role. */
export type StatementCounts = Record<string, number | Record<string, number>>;

/** What was counted, and which calls compiled or prepared something although they had been made twice before. */
export interface SteadyState {
  readonly counts: StatementCounts;
  readonly faults: readonly string[];
}

/** Whom to call as, and what to leave out. */
export interface CountedCalls {
  readonly people: Readonly<Record<string, Client>>;
  readonly definitions: readonly Definition[];
  /** Whether to create, change and delete records of a resource. */
  isWritten(definition: Definition): boolean;
  /** Headers of the last of the calls of each kind. */
  readonly headers?: Record<string, string>;
  /** Runs before it. */
  readonly beforeLast?: (call: Client) => Promise<void>;
}

/** The third call of a kind is as cheap as it gets. */
const callsPerKind = 3;

/** Whether to store what is counted instead of comparing it. */
const isStored = process.env.STORE_STATEMENT_COUNTS === '1';

/**
 * Compares counts with the table of a file, whose differences it reports call by call. With `STORE_STATEMENT_COUNTS=1`
 * it writes the table.
 */
export function expectCounts(counts: StatementCounts, file: string): void {
  if (isStored) {
    writeFileSync(file, JSON.stringify(counts));
    execFileSync('npx', ['oxfmt', file]);
  }
  const table = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as StatementCounts) : {};
  const differences = [...new Set([...Object.keys(table), ...Object.keys(counts)])]
    .filter((call) => JSON.stringify(table[call]) !== JSON.stringify(counts[call]))
    .map((call) => `${call}: expected ${describe(table[call])}, got ${describe(counts[call])}`);
  const remedy = `The numbers of statements differ from ${file}. If that is meant: STORE_STATEMENT_COUNTS=1 npx vitest run --project node statement-counts`;
  expect(differences, [remedy, ...differences].join('\n')).toEqual([]);
}

function describe(count: StatementCounts[string] | undefined): string {
  if (typeof count === 'number') return `${count} statements`;
  if (!count) return 'no such call';
  return Object.entries(count)
    .map(([role, number]) => `${number} as ${role}`)
    .join(', ');
}

/** Makes each kind of call on each resource as each person, and counts the statements of the last one. */
export async function countSteadyState(
  { program }: DemoProgram,
  watch: ReturnType<typeof watchStatements>,
  { people, definitions, isWritten, headers, beforeLast }: CountedCalls,
): Promise<SteadyState> {
  const registry = program.definitions.registry();
  const counts: Record<string, Record<string, number>> = {};
  const faults: string[] = [];
  let records = 0;

  /** The responses; undefined if the person may not do it, or the record does not allow it. */
  async function count(
    role: string,
    name: string,
    request: (turn: number) => readonly [method: string, path: string, body?: unknown],
  ): Promise<unknown[] | undefined> {
    const bodies: unknown[] = [];
    let cost: CallCost | undefined;
    for (let turn = 0; turn < callsPerKind; turn++) {
      const isLast = turn === callsPerKind - 1;
      if (isLast) await beforeLast?.(people[role]!);
      const [method, path, body] = request(turn);
      const response = await watch.costOf(people[role]!, method, path, body, isLast ? headers : undefined);
      if (response.status >= 400) return undefined;
      bodies.push(response.body);
      cost = response.cost;
    }
    (counts[name] ??= {})[role] = cost!.statements.length;
    for (const text of cost!.compiled) faults.push(`${name} as ${role} compiles ${shorten(text)}`);
    for (const text of cost!.unprepared) faults.push(`${name} as ${role} prepares ${shorten(text)}`);
    return bodies;
  }

  async function countReads(role: string, definition: Definition): Promise<void> {
    const path = `/${definition.name}`;
    const read = (kind: string, url: (turn: number) => string) =>
      count(role, `${definition.name}: ${kind}`, (turn) => ['GET', url(turn)]);
    const pages = await read('list', () => `${path}?sort_by=-id&range=[0,14]`);
    await read('search', (turn) => `${path}?q=${role}%20${turn}&range=[0,14]`);
    await read('choices', () => `${path}/choices?range=[0,14]`);
    const relation = Object.values(definition.fields).find((field) => isRelation(field) && !field.system);
    if (relation) await read('choices of a field', () => `${path}/choices/${relation.name}?range=[0,14]`);
    const group = Object.values(definition.fields).find((field) => isGroupable(field) && isRelation(field));
    await read('groups', () => `${path}/aggregate?take=count${group ? `&group=${group.name}` : ''}`);
    if (definition.list.tree) await read('tree', () => `${path}/tree`);
    const id = pages && unwrap<ResourceRecord[]>(definition, pages[0])[0]?.id;
    if (id === undefined) return;
    await read('record', () => `${path}/${String(id)}`);
    await read('history', () => `${path}/${String(id)}/history`);
    if (definition.comments) await read('comments', () => `${path}/${String(id)}/comments`);
    if (definition.comments) await read('watch', () => `${path}/${String(id)}/watch`);
  }

  /** Comments on a record of its own, so that nobody else's watching changes what is counted. */
  async function countComments(role: string, definition: Definition, id: unknown): Promise<void> {
    const path = `/${definition.name}/${String(id)}`;
    const write = (kind: string, request: (turn: number) => readonly [string, string, unknown?]) =>
      count(role, `${definition.name}: ${kind}`, request);
    const mentionable = await people[role]!<{ data: { id: number }[] }>('GET', `${path}/mentionable`);
    const mentions = (mentionable.body.data ?? []).slice(0, 1).map((person) => person.id);
    const added = await write('comment', (turn) => [
      'POST',
      `${path}/comments`,
      { text: `<p>Text ${turn}</p>`, mentions },
    ]);
    if (added) {
      const comments = added.map((body) => (body as { data: { id: number } }).data.id);
      const changed = (turn: number) => ({ text: `<p>Changed ${turn}</p>` });
      await write('change a comment', (turn) => ['PUT', `${path}/comments/${comments[turn]}`, changed(turn)]);
      await write('delete a comment', (turn) => ['DELETE', `${path}/comments/${comments[turn]}`]);
      await write('bring back a comment', (turn) => ['PATCH', `${path}/comments/${comments[turn]}/restore`]);
    }
    await write('mute', () => ['PUT', `${path}/watch`, { state: 'muted' }]);
    await write('watch as before', () => ['PUT', `${path}/watch`, { state: null }]);
  }

  async function countWrites(role: string, definition: Definition): Promise<void> {
    const path = `/${definition.name}`;
    const seed = seedOf((records += callsPerKind));
    const samples = await makeSamples(definition, people[role]!, seed);
    const created =
      samples && (await count(role, `${definition.name}: create`, (turn) => ['POST', path, samples[turn]]));
    if (!created) return;
    const ids = created.map((body) => unwrap(definition, body).id);
    const text = writableFields(definition).find(
      ({ name, type, system }) => !system && ['text', 'textarea'].includes(type) && isSeeded(samples[0]![name]),
    );
    if (text) {
      const changed = (turn: number) => ({ [text.name]: String(samples[turn]![text.name]).replace('qz', 'qy') });
      await count(role, `${definition.name}: update`, (turn) => ['PUT', `${path}/${ids[turn]}`, changed(turn)]);
    }
    if (definition.comments) await countComments(role, definition, ids[0]);
    await count(role, `${definition.name}: delete`, (turn) => ['DELETE', `${path}/${ids[turn]}`]);
  }

  /** Values of records that differ in their texts; undefined if the person cannot choose what they refer to. */
  async function makeSamples(
    definition: Definition,
    call: Client,
    seed: string,
  ): Promise<ResourceRecord[] | undefined> {
    try {
      const text = JSON.stringify(await sampleRecord(definition, registry, call, seed));
      return Array.from(
        { length: callsPerKind },
        (_, turn) => JSON.parse(text.replaceAll(seed, seedOf(Number(seed.slice(2)) + turn))) as ResourceRecord,
      );
    } catch {
      return undefined;
    }
  }

  /** Marks notifications as read and unread, of those who have one. */
  async function countNotices(role: string): Promise<void> {
    const { body } = await people[role]!<{ data: { id: number }[] }>('GET', '/notifications');
    const id = body.data?.[0]?.id;
    if (id === undefined) return;
    await count(role, 'read a notification', (turn) => ['PATCH', `/notifications/${id}`, { isRead: turn % 2 === 0 }]);
    await count(role, 'read all notifications', () => ['POST', '/notifications/read-all']);
  }

  const roles = Object.keys(people);
  // What people read at once depends on nothing but them; what they write would be in each other's way.
  await Promise.all(roles.map((role) => count(role, 'notifications', () => ['GET', '/notifications'])));
  for (const role of roles) await countNotices(role);
  for (const definition of definitions) {
    await Promise.all(roles.map((role) => countReads(role, definition)));
    if (isWritten(definition)) for (const role of roles) await countWrites(role, definition);
  }
  return { counts: summarise(counts, roles), faults };
}

/** Part of the texts of a record, by which they differ from those of another. */
function seedOf(record: number): string {
  return `qz${String(record).padStart(6, '0')}`;
}

function isSeeded(value: unknown): boolean {
  return /qz\d/.test(String(value));
}

function shorten(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 160);
}

function summarise(
  counts: Readonly<Record<string, Readonly<Record<string, number>>>>,
  roles: readonly string[],
): StatementCounts {
  const one = (byRole: Readonly<Record<string, number>>) => {
    const entries = roles.flatMap((role) => (byRole[role] === undefined ? [] : [[role, byRole[role]] as const]));
    const isSame = entries.length === roles.length && entries.every(([, number]) => number === entries[0]![1]);
    return isSame ? entries[0]![1] : Object.fromEntries(entries);
  };
  const names = Object.keys(counts).sort();
  return Object.fromEntries(names.map((name) => [name, one(counts[name]!)]));
}
