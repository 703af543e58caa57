// @module-tag slow
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { accounts, type Client } from '../../support/program';
import { startStudio, type StudioProgram } from '../modules/studio';

type Row = Record<string, unknown> & { id: number };
interface Run extends Row {
  readonly automation: string;
  readonly state: string;
  readonly message: string | null;
  readonly steps: { step: string; text: string }[] | null;
}

let { program, admin, owner, studio, query } = {} as StudioProgram;
let ids: Record<string, number>;

beforeAll(async () => {
  ({ program, admin, owner, studio, query } = await startStudio());
  const people = (await query('select id, email from users')) as { id: number; email: string }[];
  ids = Object.fromEntries(people.map(({ id, email }) => [email, id]));
  const [{ role_name: role }] = (await query(
    `select r.role_name from users u join roles r on r.id = u.role_id where u.email = '${accounts.qa}'`,
  )) as [{ role_name: string }];
  const template = {
    identifier: 'gig_news',
    subject: 'News of {{name}}',
    content: '<p>Hello {{email}}: {{name}}, {{note}}</p>',
  };
  await made(admin, 'email-templates', template);
  await studio.make(
    'gigs',
    {
      name: { required: true },
      kind: {},
      note: {},
      booker_id: { type: 'relation', to: 'users' },
      contact: { type: 'email' },
      plays_on: { type: 'date' },
      doors_at: { type: 'datetime' },
      fee: { type: 'number', digits: 2 },
    },
    {
      grants: { 2: 'all', 3: 'all', 4: 'all', 5: 'all', 6: 'all' },
      automations: [
        {
          name: 'mail_user',
          events: ['create'],
          where: { kind: 'mail' },
          steps: [{ mail: { to: 'booker_id', subject: 'About {name}', text: '<b>{note}</b>\nBye' } }],
        },
        {
          name: 'mail_dates',
          events: ['create'],
          where: { kind: 'dates' },
          steps: [
            { mail: { to: 'booker_id', subject: 'On {plays_on}', text: 'Doors {doors_at}, {fee} each' } },
            { notify: 'booker_id', text: 'On {plays_on}, doors {doors_at}' },
            { mail: { to: 'contact', subject: 'On {plays_on}', text: 'Doors {doors_at}, {fee} each' } },
          ],
        },
        {
          name: 'set_dates',
          events: ['create'],
          where: { kind: 'written' },
          steps: [
            { set: { note: 'On {plays_on}, doors {doors_at}, {fee} each' } },
            { create: 'gigs', values: { name: 'Encore at {doors_at}' } },
          ],
        },
        {
          name: 'mail_address',
          events: ['create'],
          where: { kind: 'template' },
          steps: [{ mail: { to: 'contact', template: 'gig_news' } }],
        },
        {
          name: 'no_template',
          events: ['create'],
          where: { kind: 'missing' },
          steps: [{ set: { note: 'set' } }, { mail: { to: 'contact', template: 'nothing_like_it' } }],
        },
        {
          name: 'by_role',
          events: ['create'],
          where: { kind: 'role' },
          steps: [{ notify: { roleNames: [role.toUpperCase()] }, text: 'Role: {name}' }],
        },
        {
          name: 'by_level',
          events: ['create'],
          where: { kind: 'level' },
          steps: [{ notify: { levels: [2] }, text: 'Level: {name}' }],
        },
        {
          name: 'lent',
          events: ['create'],
          runAs: accounts.manager.toUpperCase(),
          where: { kind: 'lent' },
          steps: [{ set: { note: 'By {updated_by}' } }],
        },
        {
          name: 'nobody',
          events: ['create'],
          runAs: 'nobody@example.com',
          where: { kind: 'nobody' },
          steps: [{ set: { note: 'x' } }],
        },
      ],
    },
  );
});
afterAll(() => program?.close());

async function made(call: Client, path: string, values: object): Promise<Row> {
  const answer = await call<Row>('POST', `/${path}`, values);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
}

/** The run that a new gig starts, once it has ended. */
async function runOf(values: object, call = owner): Promise<{ gig: Row; run: Run }> {
  const gig = await made(call, 'gigs', values);
  const filter = encodeURIComponent(JSON.stringify({ resource: 'gigs', record_id: gig.id }));
  const run = await vi.waitFor(async () => {
    const { body } = await admin<Run[]>('GET', `/automation-runs?filter=${filter}`);
    expect(body.filter(({ state }) => state !== 'waiting')).toHaveLength(1);
    return body[0]!;
  });
  return { gig, run };
}

/** The mails that were queued to an address since the beginning, newest last. */
const mailsTo = (address: string) =>
  query(`select about->'message'->>'subject' as subject, about->'message'->>'html' as html, about->'message'->>'text' as text
    from assay.mails where occasion = 'ready' and about->'message'->'to'->>'address' = '${address}' order by id`);
const told = async (text: string) =>
  (
    (await query(`select u.email from assay.notifications n join users u on u.id = n.user_id
    where n.title = '${text}' order by u.email`)) as { email: string }[]
  ).map(({ email }) => email);

describe('a text of a record', () => {
  test.each<[string, string, string | null, string]>([
    ['of their own', accounts.manager, 'Asia/Tokyo', '07-May-2031 01:30'],
    ['of their company', accounts.owner, null, '06-May-2031 18:30'],
    ['of the record’s company, for administrators of the installation', accounts.admin, null, '06-May-2031 18:30'],
  ])('has times in the zone of who caused it: %s', async (_, email, zone, doors) => {
    await query(`insert into assay.user_preferences (user_id, formats, time_zone)
      values (${ids[email]}, 'de-DE', ${zone === null ? 'null' : `'${zone}'`})
      on conflict (user_id) do update set formats = excluded.formats, time_zone = excluded.time_zone`);
    const name = `Written by ${email}`;
    const values = { name, kind: 'written', plays_on: '2031-05-06', doors_at: '2031-05-06T16:30:00Z', fee: 1234.5 };
    const company = email === accounts.admin ? { site_id: 1 } : {};
    const { run, gig } = await runOf({ ...values, ...company }, await program.signIn(email));
    expect(run, JSON.stringify(run)).toMatchObject({ state: 'done' });
    // Days and numbers as for everybody: it is not known who reads them.
    const note = `On 06-May-2031, doors ${doors}, 1,234.50 each`;
    expect(await query(`select note from gigs where id = ${gig.id}`)).toEqual([{ note }]);
    expect(await query(`select name from gigs where name = 'Encore at ${doors}'`)).not.toEqual([]);
    await query(`delete from assay.user_preferences where user_id = ${ids[email]}`);
  });
});

describe('a mail', () => {
  test('has dates, times and numbers as its reader reads them, in their time zone', async () => {
    const id = ids[accounts.developer]!;
    await query(
      `insert into assay.user_preferences (user_id, formats, time_zone) values (${id}, 'de-DE', 'Asia/Tokyo')`,
    );
    const { run } = await runOf({
      name: 'Dated',
      kind: 'dates',
      booker_id: id,
      contact: 'dates@example.com',
      plays_on: '2031-05-06',
      doors_at: '2031-05-06T16:30:00Z',
      fee: 1234.5,
    });
    expect(run).toMatchObject({ state: 'done' });
    const [[own], [other]] = [await mailsTo(accounts.developer), await mailsTo('dates@example.com')];
    expect(own).toMatchObject({
      subject: 'On 06.05.2031',
      text: expect.stringContaining('Doors 07.05.2031 01:30, 1.234,50 each'),
    });
    expect(await told('On 06.05.2031, doors 07.05.2031 01:30')).toEqual([accounts.developer]);
    expect(other).toMatchObject({
      subject: 'On 06-May-2031',
      text: expect.stringContaining('Doors 06-May-2031 16:30'),
    });
  });

  test('to a user of the record has its values as text, never as markup', async () => {
    const { run } = await runOf({
      name: 'Friday',
      kind: 'mail',
      note: '<i>loud</i> {{email}}',
      booker_id: ids[accounts.manager],
    });
    expect(run).toMatchObject({ state: 'done', steps: [{ step: 'mail', text: 'Queued a mail to m…@demo.test.' }] });
    const [mail, ...others] = await mailsTo(accounts.manager);
    expect(others).toEqual([]);
    expect(mail!.subject).toBe('About Friday');
    expect(mail!.html).toContain('&lt;b&gt;&lt;i&gt;loud&lt;/i&gt; {{email}}&lt;/b&gt;');
    expect(mail!.text).toContain('Bye');
  });

  test('with a template goes to the address in a field', async () => {
    const { run } = await runOf({ name: 'Saturday', kind: 'template', note: 'late', contact: 'press@example.com' });
    expect(run).toMatchObject({ state: 'done', steps: [{ text: 'Queued a mail to p…@example.com.' }] });
    const mails = await mailsTo('press@example.com');
    expect(mails).toMatchObject([{ subject: 'News of Saturday' }]);
    expect(mails[0]!.text).toContain('Hello press@example.com: Saturday, late');
  });

  test('goes to nobody who may not view the record, and to no empty address', async () => {
    const gone = await runOf({ name: 'Empty', kind: 'template' });
    expect(gone.run.steps).toEqual([
      { step: 'mail', text: 'No mail: "contact" is empty, or cannot receive mail about this record.' },
    ]);
    const restricted = await program.restricted();
    const [{ id, email }] = (await query('select id, email from users order by id desc limit 1')) as [
      { id: number; email: string },
    ];
    await restricted.grant([]);
    const blind = await runOf({ name: 'Blind', kind: 'mail', booker_id: id });
    expect(blind.run.steps![0]!.text).toBe('No mail: "booker_id" is empty, or cannot receive mail about this record.');
    expect(await mailsTo(email)).toEqual([]);
  });

  test('with a template that there is not ends the run, and undoes it', async () => {
    const { gig, run } = await runOf({ name: 'Missing', kind: 'missing', contact: 'press@example.com' });
    expect(run).toMatchObject({
      state: 'refused',
      message: expect.stringContaining('no email template with the identifier "nothing_like_it"'),
      steps: [{ step: 'set', text: 'Undone: Set Note.' }],
    });
    expect((await owner<Row>('GET', `/gigs/${gig.id}`)).body.note).toBeNull();
  });
});

describe('a notification', () => {
  const members = async (condition: string) =>
    (
      (await query(`select u.email from users u join roles r on r.id = u.role_id
      where ${condition} and u.site_id = 1 and u.status_id = 1 and u.deleted_at is null order by u.email`)) as {
        email: string;
      }[]
    ).map(({ email }) => email);

  test('by the name of a role reaches all of the role who may view the record, in its company alone', async () => {
    const { run } = await runOf({ name: 'A', kind: 'role' });
    expect(run.state).toBe('done');
    const role = `r.id = (select role_id from users where email = '${accounts.qa}')`;
    expect(await members(role)).toContain(accounts.qa);
    expect(await told('Role: A')).toEqual(await members(role));
  });

  test('by level does too', async () => {
    const { run } = await runOf({ name: 'B', kind: 'level' });
    // Those of other companies are not even looked at.
    expect(run.steps).toEqual([{ step: 'notify', text: 'Notified 1 user.' }]);
    expect(await told('Level: B')).toEqual(await members('r.level = 2'));
    expect(await told('Level: B')).toContain(accounts.owner);
    expect(await told('Level: B')).not.toContain(accounts.harbour);
  });
});

describe('with the permissions of a user with an email address', () => {
  test('a run works as that user', async () => {
    const { gig, run } = await runOf({ name: 'Lent', kind: 'lent' });
    expect(run).toMatchObject({ state: 'done', message: null });
    expect(await query(`select created_by, updated_by from gigs where id = ${gig.id}`)).toEqual([
      { created_by: ids[accounts.owner], updated_by: ids[accounts.manager] },
    ]);
  });

  test('it does nothing for a record that this user may not view, and without such a user', async () => {
    const harbour = await program.signIn(accounts.harbour);
    const foreign = await runOf({ name: 'Elsewhere', kind: 'lent' }, harbour);
    expect(foreign.run).toMatchObject({ state: 'refused', message: expect.stringContaining('may not view this gig') });
    const nobody = await runOf({ name: 'Nobody', kind: 'nobody' });
    expect(nobody.run).toMatchObject({
      state: 'refused',
      message: 'No active user has the email address nobody@example.com, with whose permissions this would run.',
    });
  });
});
