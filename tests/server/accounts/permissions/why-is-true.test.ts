// @module-tag slow
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { actions, type Action, type Definition } from '../../../../src/engine/definitions/definition';
import { writableFields } from '../../../../src/engine/validation/record-schema';
import { startProgram, type TestProgram } from '../session/program';

const names = ['admin', 'owner', 'manager', 'developer', 'qa', 'external'] as const;
const rounds = Number(process.env.WHY_ROUNDS ?? 1);

interface Person {
  readonly name: string;
  readonly id: number;
  readonly token: string;
}

let started: TestProgram;
let people: Person[];
beforeAll(async () => {
  started = await startProgram();
  people = await Promise.all(
    names.map(async (name) => {
      const email = `${name}@demo.test`;
      const user = await started.test.database.kysely
        .selectFrom('users')
        .select('id')
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
      return { name, id: user.id as number, token: await started.signIn(name) };
    }),
  );
});
afterAll(() => started.close());

/** Numbers that are the same at every run. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

interface Case {
  readonly person: Person;
  readonly definition: Definition;
  readonly action: Action;
  readonly id?: number;
  readonly field?: string;
}

/** What the call itself says: whether it was refused, by whatever is no matter of the sent values. */
async function reallyAllowed({ person, definition, action, id, field }: Case): Promise<boolean | 'invalid' | 'either'> {
  const call = (method: string, path: string, body?: unknown) =>
    started.call(method, path, { token: person.token, body });
  if (action === 'list') {
    const { status, body } = await call('GET', `/${definition.name}${id ? `?id=${id}` : ''}`);
    if (status !== 200) return allowedBy(status);
    const records = definition.envelope ? body[definition.envelope] : body;
    return id === undefined || records.some((record: { id: number }) => record.id === id);
  }
  const { status, body } =
    action === 'view'
      ? await call('GET', `/${definition.name}/${id}`)
      : action === 'create'
        ? await call('POST', `/${definition.name}`, {})
        : action === 'edit'
          ? await call('PUT', `/${definition.name}/${id}`, { [field!]: 'Something else' })
          : await call('DELETE', `/${definition.name}/${id}`);
  // What else refers to a record is no matter of permission; an archive is, and so is what came with the program.
  if (status === 409) return /archived|ships with the program/.test(body.message) ? false : 'either';
  return status === 422 ? 'invalid' : allowedBy(status);
}

function allowedBy(status: number): boolean {
  if (status === 403 || status === 404) return false;
  expect([200, 201]).toContain(status);
  return true;
}

async function casesOf(action: Action, round: number): Promise<Case[]> {
  const random = numbers(1 + round * 7 + actions.indexOf(action));
  const cases: Case[] = [];
  for (const definition of started.program.definitions.registry().definitions.values()) {
    const { rows } = await sql<{
      id: number;
    }>`select id from ${sql.id('public', definition.table)} order by id`.execute(started.test.database.kysely);
    const texts = writableFields(definition).filter(
      ({ type, readOnlyWhen, virtual }) => ['text', 'textarea'].includes(type) && !readOnlyWhen && !virtual,
    );
    for (const person of people) {
      const id = rows.length > 0 && action !== 'create' ? rows[random(rows.length)]!.id : undefined;
      if (id === undefined && (action === 'view' || action === 'edit' || action === 'delete')) continue;
      const field = action === 'edit' ? texts[random(texts.length || 1)]?.name : undefined;
      if (action === 'edit' && !field) continue;
      // Those who ask here are to stay.
      if (action === 'delete' && definition.name === 'users' && people.some((one) => one.id === id)) continue;
      cases.push({ person, definition, action, id, field });
    }
  }
  return cases;
}

// What deletes comes last.
for (const action of actions) {
  test(`the explanation of ${action} matches the result of the call`, { timeout: 240_000 * rounds }, async () => {
    let [yes, no] = [0, 0];
    for (let round = 0; round < rounds; round++) {
      for (const one of await casesOf(action, round)) {
        const { person, definition, id, field } = one;
        const query = new URLSearchParams({ user_id: String(person.id), module: definition.name, action });
        if (id !== undefined) query.set('id', String(id));
        if (field !== undefined) query.set('field', field);
        const why = await started.call('GET', `/permissions/why?${query}`, { token: people[0]!.token });
        const said: boolean = why.status === 404 ? false : why.body.data.allowed;
        const outcome = await reallyAllowed(one);
        const failed = why.body.data?.steps.find(({ outcome }: { outcome: string }) => outcome === 'failed');
        // A guard looks at what would be stored, and a value that is not valid never gets that far.
        if (outcome === 'either' || (outcome === 'invalid' && failed?.kind === 'guard')) continue;
        const really = outcome === 'invalid' || outcome;
        expect({ who: person.name, query: String(query), said, why: said ? '' : failed?.text }).toEqual({
          who: person.name,
          query: String(query),
          said: really,
          why: really ? '' : failed?.text,
        });
        expect(Boolean(failed)).toBe(why.status === 200 && !said);
        if (said) yes++;
        else no++;
      }
    }
    expect(Math.min(yes, no)).toBeGreaterThan(4);
  });
}
