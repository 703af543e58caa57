// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startDueAutomations } from '../../../src/server/automation/schedules';
import { readProduct } from '../../../src/server/read-product';
import { createTestDatabase, type TestDatabase } from '../../support/database';
import { startDemoProgram, type Client, type DemoProgram } from '../../support/program';

// A help desk of JSON alone: what its definitions promise, over HTTP.

type Row = Record<string, unknown> & { id: number };
interface Refusal {
  readonly errors: Record<string, string>;
  readonly message: string;
}
const people = ['owner', 'supervisor', 'agent', 'billing', 'customer', 'clinic'] as const;
type Person = (typeof people)[number];

let database: TestDatabase;
let program: DemoProgram;
let as: Record<Person, Client>;

beforeAll(async () => {
  database = await createTestDatabase();
  program = await startDemoProgram({ product: readProduct('examples/helpdesk'), database });
  const sessions = people.map(async (name) => [name, await program.signIn(`${name}@demo.test`)] as const);
  as = Object.fromEntries(await Promise.all(sessions)) as Record<Person, Client>;
  await settled();
});
afterAll(async () => {
  await program?.close();
  await database?.close();
});

const query = async (text: string) => (await database.database.pool.query<Row>(text)).rows;
/** Waits until everything that happens by itself has been done. */
const settled = () =>
  vi.waitFor(
    async () =>
      expect(await query(`select automation, state from assay.automation_runs where state = 'waiting'`)).toEqual([]),
    { timeout: 20_000 },
  );
const list = async (path: string, who: Person = 'supervisor') => {
  const { status, body } = await as[who]<Row[]>('GET', path);
  expect({ status, body }).toMatchObject({ status: 200 });
  return body;
};
const find = async (path: string, text: string, who?: Person) =>
  (await list(`${path}?q=${encodeURIComponent(text)}`, who))[0]!;
const subjects = async (path: string, who?: Person) => (await list(path, who)).map(({ subject }) => subject);

/** Makes a ticket as somebody would and waits for what follows by itself. */
async function ticket(values: object = {}, who: Person = 'supervisor'): Promise<Row> {
  const team = await find('/teams', 'Networks');
  const body = { subject: 'A ticket', description: '<p>Help</p>', team_id: team.id, ...values };
  const answer = await as[who]<Row>('POST', '/tickets', body);
  expect(answer).toMatchObject({ status: 201 });
  await settled();
  return read(answer.body.id);
}
const read = async (id: number, who: Person = 'supervisor') => (await as[who]<Row>('GET', `/tickets/${id}`)).body;
const change = (id: number, values: object, who: Person = 'supervisor') =>
  as[who]<Row & Refusal>('PUT', `/tickets/${id}`, values);
const userId = async (email: string) => (await query(`select id from users where email = '${email}@demo.test'`))[0]!.id;
const comment = async (id: number, who: Person, more: object = {}) => {
  const answer = await as[who]<{ data: Row }>('POST', `/tickets/${id}/comments`, { text: '<p>Hello</p>', ...more });
  await settled();
  return answer;
};

describe('tickets', () => {
  test('have numbers that follow each other, whoever sends them', async () => {
    const first = await ticket({}, 'customer');
    const second = await ticket({}, 'clinic');
    expect([first.key, second.key]).toEqual([0, 1].map((more) => `T-${Number((first.key as string).slice(2)) + more}`));
  });

  test('of a customer belong to their organisation and name them, without being asked', async () => {
    expect(await ticket({}, 'clinic')).toMatchObject({
      organisation: { name: 'Clinic Voss' },
      contact: { name: 'Tarik Nes' },
      channel: 'web',
      state: 'new',
    });
  });

  test('read a former value of their options as the new one', async () => {
    expect(await ticket({ priority: 'critical' })).toMatchObject({ priority: 'urgent' });
    expect(await list('/tickets?priority=critical')).toEqual(await list('/tickets?priority=urgent'));
    const made = await ticket();
    expect((await change(made.id, { state: 'pending' })).body).toMatchObject({ state: 'waiting' });
  });

  test.each<[string, (row: Row) => Promise<object>]>([
    ['a person who is not of the team', async () => ({ assignee_id: await userId('billing') })],
    ['another team than that of its assignee', async () => ({ team_id: (await find('/teams', 'Contracts')).id })],
  ])('are not assigned to %s', async (_, values) => {
    const made = await ticket({ assignee_id: await userId('agent') });
    const { status, body } = await change(made.id, await values(made));
    expect([status, body.errors]).toEqual([
      422,
      { assignee_id: 'Assign it to a member of the team, or choose another team.' },
    ]);
  });

  test('are not from a contact of another organisation', async () => {
    const [clinic, lena] = [await find('/organisations', 'Clinic'), await find('/contacts', 'Lena')];
    const made = await ticket();
    const { status, body } = await change(made.id, { organisation_id: clinic.id, contact_id: lena.id });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['contact_id']]);
  });
});

describe('customers', () => {
  test.each<[string, Person, readonly string[]]>([
    ['the harbour', 'customer', ['No network on pier 4', 'Another address for bills', 'Guest network for a congress']],
    ['the clinic', 'clinic', ['Telephones ring twice', 'Printer of the reception']],
  ])('of %s see the tickets of their organisation, and no other', async (_, who, expected) => {
    const own = await find('/organisations', '', who);
    expect(await subjects('/tickets', who)).toEqual(expect.arrayContaining([...expected]));
    expect((await list('/tickets', who)).every((row) => row.organisation_id === own.id)).toBe(true);
    const other = (await list('/tickets')).find((row) => ![own.id, null].includes(row.organisation_id as number))!;
    expect((await as[who]('GET', `/tickets/${other.id}`)).status).toBe(404);
    expect((await as[who]('GET', `/tickets/${other.id}/comments`)).status).toBe(404);
    expect((await as[who]('GET', `/tickets?organisation_id=${other.organisation_id as number}`)).body).toEqual([]);
  });

  test('see neither causes nor escalations, nor the people and articles of others', async () => {
    const { id } = await find('/tickets', 'pier 4');
    await change(id, { cause: 'A cheap switch' });
    const row = await read(id, 'customer');
    for (const hidden of ['cause', 'escalated_at', 'articles', 'level_solve_hours'])
      expect(row).not.toHaveProperty(hidden);
    expect((await list('/contacts', 'customer')).map(({ name }) => name)).toEqual(['Lena Aas', 'Per Lie']);
    expect((await list('/organisations', 'customer')).map(({ name }) => name)).toEqual(['Bergen Harbour']);
    expect((await list('/articles', 'customer')).map(({ title }) => title)).toEqual(['When bills are sent']);
  });

  test.each<[string, object, object, number]>([
    ['their words while it is new', {}, { subject: 'Clearer' }, 200],
    ['who works on it', {}, { assignee_id: null, team_id: 2 }, 403],
    ['its state while it is new', {}, { state: 'open' }, 403],
    ['their words once somebody works on it', { state: 'open' }, { subject: 'Clearer' }, 403],
    ['their verdict before it is solved', { state: 'open' }, { satisfaction: 'good' }, 403],
    ['their verdict once it is solved', { state: 'solved' }, { satisfaction: 'good' }, 200],
    ['a solved ticket to closed', { state: 'solved' }, { state: 'closed', satisfaction: 'fair' }, 200],
    ['a solved ticket to open', { state: 'solved' }, { state: 'open' }, 200],
    ['a closed ticket to open', { state: 'closed' }, { state: 'open' }, 422],
  ])('change %s: %j, then %j', async (_, before, values, status) => {
    const { id } = await ticket({}, 'customer');
    await bringTo(id, (before as Row).state as string);
    expect((await change(id, values, 'customer')).status).toBe(status);
    expect((await change(id, values, 'clinic')).status).toBe(404);
  });

  test('cannot send tickets for other organisations, nor delete theirs', async () => {
    const [other, team] = [await find('/organisations', 'Clinic'), await find('/teams', 'Networks')];
    const body = { subject: 'x', description: '<p>x</p>', team_id: team.id, organisation_id: other.id };
    expect((await as.customer('POST', '/tickets', body)).status).toBe(422);
    const elsewhere = { ...body, organisation_id: null, visitor_name: 'Lena' };
    expect((await as.customer('POST', '/tickets', elsewhere)).status).toBe(403);
    const assigned = { ...body, organisation_id: undefined, channel: 'phone' };
    expect((await as.customer('POST', '/tickets', assigned)).status).toBe(403);
    const { id } = await find('/tickets', 'pier 4');
    expect((await as.customer('DELETE', `/tickets/${id}`)).status).toBe(403);
  });
});

/** Brings a new ticket to a state on the way that agents go. */
async function bringTo(id: number, state: string | undefined): Promise<void> {
  const way = {
    open: ['open'],
    waiting: ['waiting'],
    solved: ['open', 'solved'],
    closed: ['open', 'solved', 'closed'],
  };
  for (const next of way[state as keyof typeof way] ?? []) {
    const needs = next === 'solved' && { assignee_id: await userId('agent'), solution: 'Done' };
    expect(await change(id, { ...needs, state: next })).toMatchObject({ status: 200 });
  }
  await settled();
}

describe('agents', () => {
  test.each<[Person, number]>([
    ['supervisor', 200],
    ['agent', 200],
    ['billing', 403],
    ['owner', 200],
  ])('change tickets of their teams: %s, %i', async (who, status) => {
    const made = await ticket();
    expect((await change(made.id, { priority: 'high' }, who)).status).toBe(status);
  });

  test('all read each ticket, and none of them deletes one', async () => {
    const { id } = await find('/tickets', 'address for bills');
    expect((await as.agent('GET', `/tickets/${id}`)).status).toBe(200);
    expect((await as.agent('DELETE', `/tickets/${id}`)).status).toBe(403);
  });

  test.each<[string, string, string, object, Person, number]>([
    ['accept', 'new', 'open', {}, 'agent', 200],
    ['solve without an assignee', 'open', 'solved', { solution: 'x' }, 'agent', 422],
    ['solve without a solution', 'open', 'solved', { assignee: true }, 'agent', 422],
    ['solve', 'open', 'solved', { assignee: true, solution: 'x' }, 'agent', 200],
    ['solve at once', 'new', 'solved', { assignee: true, solution: 'x' }, 'agent', 422],
    ['close what is not solved', 'open', 'closed', {}, 'agent', 422],
    ['open what is closed', 'closed', 'open', {}, 'agent', 422],
    ['open what is closed', 'closed', 'open', {}, 'supervisor', 200],
  ])('%s: from %s to %s with %j by %s is %i', async (_, from, to, more, who, status) => {
    const { id } = await ticket();
    await bringTo(id, from);
    const { assignee, ...values } = more as { assignee?: boolean };
    const body = { ...values, ...(assignee && { assignee_id: await userId('agent') }), state: to };
    const answer = await change(id, body, who);
    expect({ status: answer.status, body: answer.body }).toMatchObject({ status });
  });
});

describe('promises', () => {
  // The calendar: Monday to Thursday from 8 to 18, Friday from 8 to 16, in Oslo; two holidays in May 2030.
  test.each<[string, string, string, string, string]>([
    ['Gold', 'normal', '2030-04-29T08:00:00Z', '2030-04-29T10:00:00.000Z', '2030-04-29T16:00:00.000Z'],
    ['Gold', 'urgent', '2030-04-29T08:00:00Z', '2030-04-29T08:30:00.000Z', '2030-04-29T10:00:00.000Z'],
    // Over the evening, and over a holiday.
    ['Gold', 'low', '2030-04-30T14:00:00Z', '2030-05-02T08:00:00.000Z', '2030-05-03T10:00:00.000Z'],
    // From Friday at noon over a weekend.
    ['Silver', 'normal', '2030-05-03T12:00:00Z', '2030-05-06T12:00:00.000Z', '2030-05-08T14:00:00.000Z'],
    // Over a holiday on a Friday, from a weekend.
    ['Silver', 'high', '2030-05-18T10:00:00Z', '2030-05-20T10:00:00.000Z', '2030-05-21T11:00:00.000Z'],
  ])('%s, %s, received at %s: an answer by %s, a solution by %s', async (level, priority, at, answer, solution) => {
    const organisation = await find('/organisations', level === 'Gold' ? 'Harbour' : 'Clinic');
    const { id } = await ticket({ organisation_id: organisation.id });
    await query(`update tickets set created_at = '${at}', priority = 'normal' where id = ${id}`);
    await change(id, { priority: priority === 'normal' ? 'high' : 'normal' });
    await settled();
    await change(id, { priority });
    await settled();
    expect(await read(id)).toMatchObject({ first_response_due: answer, due_at: solution });
  });

  test('follow another priority until the ticket is solved', async () => {
    const { id, due_at: before } = await ticket({ priority: 'low' });
    await change(id, { priority: 'urgent' });
    await settled();
    const { due_at: after } = await read(id);
    expect(Date.parse(after as string)).toBeLessThan(Date.parse(before as string));
    await bringTo(id, 'solved');
    await change(id, { priority: 'low' });
    await settled();
    expect(await read(id)).toMatchObject({ due_at: after });
  });

  test('are reminded of an hour before, and escalated once they are broken, once each', async () => {
    const { id } = await ticket({ assignee_id: await userId('agent') });
    const done = await ticket({ assignee_id: await userId('agent') });
    await bringTo(done.id, 'solved');
    const at = async (time: string) => {
      await startDueAutomations(program.program, new Date(time));
      await settled();
    };
    await at('2031-03-03T08:00:00Z');
    await query(`update tickets set first_response_due = '2031-03-03T10:00:00Z', due_at = '2031-03-03T12:00:00Z'
      where id in (${id}, ${done.id})`);
    const runs = async (record: number) =>
      (
        await query(`select automation from assay.automation_runs where record_id = ${record} and trigger = 'dueTime'
          and state = 'done' and resource = 'tickets' order by id`)
      ).map(({ automation }) => automation);
    for (const [time, expected] of [
      ['2031-03-03T09:59:00Z', []],
      ['2031-03-03T10:00:00Z', ['unanswered']],
      ['2031-03-03T10:59:00Z', ['unanswered']],
      ['2031-03-03T11:00:00Z', ['unanswered', 'due_soon']],
      ['2031-03-03T11:01:00Z', ['unanswered', 'due_soon']],
      ['2031-03-03T12:00:00Z', ['unanswered', 'due_soon', 'escalated']],
      ['2031-03-03T13:00:00Z', ['unanswered', 'due_soon', 'escalated']],
    ] as const) {
      await at(time);
      expect([time, await runs(id)]).toEqual([time, expected]);
    }
    expect(await runs(done.id)).toEqual([]);
    expect(await read(id)).toMatchObject({ escalated_at: '2031-03-03T12:00:00.000Z' });
    const notices = async (who: Person) =>
      (await as[who]<{ data: { title: string }[] }>('GET', '/notifications')).body.data.map(({ title }) => title);
    expect(await notices('supervisor')).toContainEqual(
      expect.stringMatching(/^T-\d+ was not solved in time: A ticket$/),
    );
    expect(await notices('agent')).toContainEqual(expect.stringMatching(/^T-\d+ is due in an hour: A ticket$/));
  });

  test('are broken where the time has passed, or was passed by the answer or the solution', async () => {
    const { id } = await ticket();
    const breached = async (times: string) => {
      await query(`update tickets set first_response_due = null, due_at = null, first_response_at = null,
        solved_at = null where id = ${id}`);
      await query(`update tickets set ${times} where id = ${id}`);
      return (await read(id)).is_breached;
    };
    const [past, later, future] = ["'2020-01-01T10:00:00Z'", "'2020-01-01T10:00:01Z'", "'2999-01-01'"];
    for (const [times, expected] of [
      [`due_at = ${future}`, false],
      [`due_at = ${past}`, true],
      [`first_response_due = ${past}`, true],
      [`first_response_due = ${past}, first_response_at = ${past}`, false],
      [`first_response_due = ${past}, first_response_at = ${later}`, true],
      [`due_at = ${past}, solved_at = ${past}`, false],
      [`due_at = ${past}, solved_at = ${later}`, true],
    ] as const)
      expect([times, await breached(times)]).toEqual([times, expected]);
  });
});

describe('comments', () => {
  test('of an agent note the first response once, those of customers and internal ones never', async () => {
    const { id } = await ticket({}, 'customer');
    await comment(id, 'customer');
    await comment(id, 'agent', { internal: true });
    expect(await read(id)).toMatchObject({ first_response_at: null });
    const { body } = await comment(id, 'billing');
    const { first_response_at: first } = await read(id);
    expect(first).toBe(new Date(body.data.created_at as string).toISOString());
    await comment(id, 'agent');
    expect(await read(id)).toMatchObject({ first_response_at: first });
  });

  test('that are internal are neither read nor written by customers', async () => {
    const { id } = await ticket({}, 'customer');
    await comment(id, 'agent', { text: '<p>Do not tell</p>', internal: true });
    await comment(id, 'agent', { text: '<p>We look into it</p>' });
    const texts = async (who: Person) =>
      (await as[who]<{ data: { text: string }[] }>('GET', `/tickets/${id}/comments`)).body.data.map(({ text }) => text);
    expect(await texts('customer')).toEqual(['<p>We look into it</p>']);
    expect(await texts('supervisor')).toHaveLength(2);
    expect((await comment(id, 'customer', { internal: true })).status).toBe(422);
    expect((await comment(id, 'clinic')).status).toBe(404);
  });

  test.each<[string, Person, string]>([
    ['waiting', 'customer', 'open'],
    ['solved', 'customer', 'open'],
    ['closed', 'customer', 'closed'],
    ['new', 'customer', 'new'],
    ['waiting', 'agent', 'waiting'],
  ])('on a ticket that is %s by %s leave it %s', async (state, who, expected) => {
    const { id } = await ticket({}, 'customer');
    await bringTo(id, state);
    await comment(id, who);
    expect(await read(id)).toMatchObject({ state: expected, ...(expected === 'open' && { solved_at: null }) });
  });
});

describe('what is solved', () => {
  test('is told to the contact, and closed after a week without a change', async () => {
    const { id } = await ticket({}, 'customer');
    await bringTo(id, 'solved');
    expect((await read(id)).solved_at).not.toBeNull();
    const { body } = await as.customer<{ data: { title: string }[] }>('GET', '/notifications');
    expect(body.data.map(({ title }) => title)).toContainEqual(expect.stringContaining('is solved'));
    await query(`update tickets set updated_at = '2032-01-01T10:00:00Z' where id = ${id}`);
    await startDueAutomations(program.program, new Date('2032-01-08T09:59:00Z'));
    await settled();
    expect(await read(id)).toMatchObject({ state: 'solved' });
    await startDueAutomations(program.program, new Date('2032-01-08T10:01:00Z'));
    await settled();
    expect(await read(id)).toMatchObject({ state: 'closed' });
  });
});

describe('the public form', () => {
  test('sends a ticket with a file to a team, whose numbers and promises it gets', async () => {
    const opened = await as.owner<{ data: { address: string } }>('POST', '/public-forms', { resource: 'tickets' });
    const key = opened.body.data.address.split('/form/')[1]!;
    const team = await find('/teams', 'Contracts');
    const send = async (values: object, withFile = true) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(values)) form.append(name, String(value));
      if (withFile) form.append('files', new Blob(['%PDF-1.4\n%%EOF']), 'bill.pdf');
      const answer = await program.app.inject({
        method: 'POST',
        url: `/api/public-forms/${key}`,
        payload: form as never,
      });
      return { status: answer.statusCode, body: answer.json<Refusal>() };
    };
    const message = {
      visitor_name: 'Ada',
      visitor_email: 'ada@visitor.test',
      team_id: team.id,
      subject: 'My bill',
      description: '<p>Is it right?</p>',
    };
    expect((await send({ ...message, priority: 'urgent' })).status).toBe(400);
    const missing = await send({ ...message, subject: '' });
    expect([missing.status, Object.keys(missing.body.errors)]).toEqual([422, ['subject']]);
    expect(await send(message)).toMatchObject({ status: 201 });
    await settled();
    expect(await find('/tickets', 'My bill')).toMatchObject({
      key: expect.stringMatching(/^T-\d+$/),
      channel: 'web',
      organisation_id: null,
      visitor_name: 'Ada',
      files: [{ name: 'bill.pdf' }],
      due_at: expect.any(String),
    });
    expect(await subjects('/tickets', 'customer')).not.toContain('My bill');
  });
});

describe('the list', () => {
  test('comes with views of what is to be done', async () => {
    const due = await ticket({ subject: 'Due today', assignee_id: await userId('agent') });
    await query(`update tickets set due_at = now() where id = ${due.id}`);
    const late = await ticket({ subject: 'Late' });
    await query(`update tickets set due_at = '2020-01-01' where id = ${late.id}`);
    expect(await subjects('/tickets?unassigned=1', 'agent')).toContain('Late');
    expect(await subjects('/tickets?unassigned=1', 'agent')).not.toContain('Due today');
    expect(await subjects(`/tickets?unsolved=1&assignee_id=${await userId('agent')}`, 'agent')).toContain('Due today');
    // Tickets of other tests are due today as well while the hours of work of this day last.
    const later = await ticket({ subject: 'Due in two days' });
    await query(`update tickets set due_at = now() + interval '2 days' where id = ${later.id}`);
    const dueToday = await subjects('/tickets?due_today=1', 'agent');
    expect(dueToday).toContain('Due today');
    for (const subject of ['Late', 'Due in two days']) expect(dueToday).not.toContain(subject);
    expect(await subjects('/tickets?is_breached=true&unsolved=1', 'agent')).toContain('Late');
    await bringTo(late.id, 'solved');
    expect(await subjects('/tickets?is_breached=true&unsolved=1', 'agent')).not.toContain('Late');
  });
});

describe('on-call shifts', () => {
  test.each<[string, string, string, string, number]>([
    ['within another of the team', 'Networks', '2030-05-04T00:00:00.000Z', '2030-05-05T00:00:00.000Z', 422],
    ['from the end of another', 'Networks', '2030-05-06T06:00:00.000Z', '2030-05-07T06:00:00.000Z', 201],
    ['a minute before the end of another', 'Networks', '2030-05-13T05:59:00.000Z', '2030-05-13T07:00:00.000Z', 422],
    ['of another team', 'Contracts', '2030-05-04T00:00:00.000Z', '2030-05-05T00:00:00.000Z', 201],
    ['that end before they begin', 'Contracts', '2030-06-04T00:00:00.000Z', '2030-06-03T00:00:00.000Z', 422],
  ])('%s: %s from %s to %s is %i', async (_, team, from_at, to_at, status) => {
    const values = { team_id: (await find('/teams', team)).id, from_at, to_at, agent_id: await userId('agent') };
    expect((await as.supervisor('POST', '/shifts', values)).status).toBe(status);
    expect((await as.agent('POST', '/shifts', values)).status).toBe(403);
  });
});

describe('articles', () => {
  test('are published by a supervisor, changed by their team, and read by customers where they are for them', async () => {
    const article = await find('/articles', 'Restart a router');
    const publish = (who: Person) => as[who]('PATCH', `/articles-state-published/${article.id}`, {});
    expect((await publish('agent')).status).toBe(403);
    expect((await as.customer('GET', `/articles/${article.id}`)).status).toBe(404);
    expect((await publish('supervisor')).status).toBe(200);
    expect((await as.customer('GET', `/articles/${article.id}`)).status).toBe(200);
    expect((await as.billing('PUT', `/articles/${article.id}`, { title: 'x' })).status).toBe(403);
    expect((await as.agent('PUT', `/articles/${article.id}`, { title: 'Restart the router' })).status).toBe(200);
    await as.agent('PUT', `/articles/${article.id}`, { is_for_customers: false });
    expect((await as.customer('GET', `/articles/${article.id}`)).status).toBe(404);
  });
});

test('service levels cannot promise a solution before an answer', async () => {
  const level = (values: object) =>
    as.supervisor<Refusal>('POST', '/service-levels', { name: 'x', response_hours: 4, ...values });
  const refused = await level({ solve_hours: 3.9 });
  expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['solve_hours']]);
  expect((await level({ solve_hours: 4 })).status).toBe(201);
});

test('an organisation shows its latest ratings and its agents, and asks before it gets another service level', async () => {
  const [clinic, agent] = [await find('/organisations', 'Clinic'), await userId('agent')];
  const made = await ticket({ organisation_id: clinic.id, assignee_id: agent });
  for (const values of [{ state: 'open' }, { state: 'solved', solution: '<p>Done</p>' }, { satisfaction: 'fair' }])
    expect(await change(made.id, values)).toMatchObject({ status: 200 });
  // An automation notes when it was solved.
  await settled();
  const { body } = await as.supervisor<{ latest_ratings: Row[]; agents: Row[] }>('GET', `/organisations/${clinic.id}`);
  expect(body.latest_ratings).toContainEqual(expect.objectContaining({ id: made.id, satisfaction: 'fair' }));
  const ids = body.agents.map(({ id }) => id);
  expect(ids.filter((id) => id === agent)).toEqual([agent]);
  const uses = await as.supervisor<{ data: { count: number } }>('GET', `/organisations/${clinic.id}/uses/tickets`);
  expect(uses.body.data.count).toBe((await list(`/tickets?organisation_id=${clinic.id}`)).length);
});

describe('procedures', () => {
  test('are inserted into checklists as they are now, and cannot be deleted meanwhile', async () => {
    const body = { name: 'Move a line', steps: [{ action: 'Order the line', minutes: 15 }, { action: 'Test it' }] };
    const { id } = (await as.supervisor<Row>('POST', '/procedures', body)).body;
    const made = await ticket({ checklist: [{ procedure_id: id }, { action: 'Call back' }] });
    const actions = async (who: Person) =>
      ((await read(made.id, who)).checklist as Row[]).flatMap(({ action, inserted }) =>
        inserted === null ? action : (inserted as Row[]).map((row) => row.action),
      );
    expect(await actions('agent')).toEqual(['Order the line', 'Test it', 'Call back']);
    await as.supervisor('PUT', `/procedures/${id}`, { steps: [{ action: 'Ask the provider' }] });
    expect(await actions('agent')).toEqual(['Ask the provider', 'Call back']);
    expect((await as.supervisor('DELETE', `/procedures/${id}`)).status).toBe(409);
    expect((await as.agent('PUT', `/procedures/${id}`, { name: 'Mine' })).status).toBe(403);
    const uses = await as.supervisor<{ data: { count: number } }>('GET', `/procedures/${id}/uses/tickets`);
    expect(uses.body.data.count).toBe(1);
  });

  test('and the time that was worked are not shown to customers', async () => {
    const { id } = await ticket({}, 'customer');
    expect((await change(id, { checklist: [{ action: 'Check the invoice' }] })).status).toBe(200);
    const row = await read(id, 'customer');
    for (const hidden of ['checklist', 'worked']) expect(row).not.toHaveProperty(hidden);
    for (const path of ['/procedures', '/work-times']) expect((await as.customer('GET', path)).status).toBe(403);
  });
});

describe('work times', () => {
  test('are of the agent who enters them, add up on their ticket, and are changed by nobody else', async () => {
    const { id } = await ticket();
    const enter = (start: string, end: string) =>
      as.agent<Row & Refusal>('POST', '/work-times', { ticket_id: id, date: '2024-05-06', start, end });
    const first = await enter('09:00', '09:45');
    expect(first).toMatchObject({ status: 201, body: { agent_id: await userId('agent') } });
    expect((await enter('09:45', '11:00')).status).toBe(201);
    const refused = await enter('11:00', '10:00');
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, ['end']]);
    // In minutes.
    expect((await read(id)).worked).toBe(120);
    for (const [who, status] of [
      ['billing', 403],
      ['agent', 200],
      ['owner', 200],
    ] as const)
      expect((await as[who]('PUT', `/work-times/${first.body.id}`, { note: 'Measured' })).status).toBe(status);
  });

  test('are taken by a timer on a ticket', async () => {
    const { id, key } = await ticket();
    const body = { resource: 'work-times', record: id };
    const started = await as.agent<{ data: { record: Row; started_at: string } }>('POST', '/timer', body);
    expect(started).toMatchObject({
      status: 200,
      body: { data: { record: { id, title: `${String(key)} A ticket` } } },
    });
    expect((await as.customer('POST', '/timer', body)).status).toBe(403);
    const at = encodeURIComponent(started.body.data.started_at);
    expect((await as.agent('DELETE', `/timer?started_at=${at}`)).status).toBe(200);
  });
});
