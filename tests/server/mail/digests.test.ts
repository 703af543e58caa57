import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { queueDigests } from '../../../src/server/notifications/digests';
import { tellOfWatchedChanges } from '../../../src/server/comments/watched-changes';
import { studioOf } from '../modules/studio';
import type { Received } from './mailbox';
import { startPosting, type Posting } from './posting';

let started: Posting;
const people = ['admin', 'owner', 'manager', 'developer', 'qa', 'external'] as const;
type Who = (typeof people)[number];
const tokens = {} as Record<Who, string>;
const ids = {} as Record<Who, number>;
let film: number;

beforeAll(async () => {
  started = await startPosting();
  for (const who of people) {
    tokens[who] = await started.signIn(who);
    ids[who] = (await call('GET', '/me', who)).body.data.user.id;
  }
  film = await made('films', { name: 'Night Train', user_ids: [ids.developer] });
});
afterAll(() => started?.close());

const call = (method: string, path: string, as: Who, body?: unknown) =>
  started.call(method, path, { token: tokens[as], body });
async function made(path: string, body: object): Promise<number> {
  const answer = await call('POST', `/${path}`, 'owner', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.data?.id ?? answer.body.id;
}
const choose = async (as: Who, body: object) => {
  const answer = await call('PATCH', '/preferences/notifications', as, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.data;
};
const announce = async (to: Who, title: string, content = 'As said.') => {
  const sent = await call('POST', '/notifications', 'owner', { title, content, user_ids: [ids[to]] });
  expect(sent.status).toBe(201);
};
const noticesOf = async (who: Who): Promise<{ id: number; title: string }[]> =>
  (await call('GET', '/notifications?range=[0,99]', who)).body.data;
const digests = (now: string) => queueDigests(started.program, new Date(now));
/** A shot of the film, which somebody operates. */
const assign = async (who: Who, name: string, of = film) => {
  const values = { name, film_id: of, operator_id: null, description: '<p>x</p>', status_id: 1, urgency_id: 1 };
  const scene_id = await made('scenes', { name: `${name} scene`, film_id: of });
  const id = await made('shots', { ...values, scene_id, operator_id: ids[who] });
  return id;
};
/** What has arrived, once nothing waits to be sent. */
async function receivedUntilNow(): Promise<Received[]> {
  const waiting = started.program.database.kysely.withSchema('assay').selectFrom('mails').select('id');
  while ((await waiting.execute()).length > 0) await new Promise((resolve) => setImmediate(resolve));
  return started.office.received;
}
const mailsTo = async (address: string, about: string) =>
  (await receivedUntilNow()).filter(({ to, text }) => to.includes(address) && text.includes(about));

describe('choices of notifications', () => {
  test('are as usual at first, by kind, with those of the product', async () => {
    const { data } = (await call('GET', '/preferences/notifications', 'manager')).body;
    expect(data.kinds.map((kind: { key: string; channel: string; usual: string }) => [kind.key, kind.channel])).toEqual(
      [
        ['mention', 'notice'],
        ['comment', 'notice'],
        ['change', 'notice'],
        ['assignment', 'notice'],
        ['answer', 'mail'],
        ['announcement', 'notice'],
        ['automation', 'notice'],
      ],
    );
    expect(data).toMatchObject({
      digest_hour: 8,
      digest_day: null,
      time_zone: null,
      company_time_zone: 'Europe/Berlin',
      address_confirmed: true,
    });
  });

  test('change for the caller alone; what is not sent stays, and null is as usual again', async () => {
    await choose('manager', { channels: { mention: 'none', comment: 'digest' }, digest_hour: 17 });
    const data = await choose('manager', { channels: { mention: null }, digest_day: 1, time_zone: 'Asia/Tokyo' });
    expect(data).toMatchObject({ digest_hour: 17, digest_day: 1, time_zone: 'Asia/Tokyo' });
    const channel = (key: string) => data.kinds.find((kind: { key: string }) => kind.key === key).channel;
    expect([channel('mention'), channel('comment')]).toEqual(['notice', 'digest']);
    const of = await call('GET', '/preferences/notifications', 'qa');
    expect(of.body.data).toMatchObject({ digest_hour: 8, time_zone: null });
  });

  test.each([
    [{ channels: { nonsense: 'mail' } }, 'channels'],
    [{ channels: { mention: 'pigeon' } }, 'channels'],
    [{ channels: 'mail' }, 'channels'],
    [{ digest_hour: 24 }, 'digest_hour'],
    [{ digest_hour: '8' }, 'digest_hour'],
    [{ digest_day: 7 }, 'digest_day'],
    [{ time_zone: 'Mars/Base' }, 'time_zone'],
    [{ user_id: 1 }, 'user_id'],
  ])('%j is refused and changes nothing', async (body, at) => {
    const read = async () => (await call('GET', '/preferences/notifications', 'manager')).body;
    const before = await read();
    const refused = await call('PATCH', '/preferences/notifications', 'manager', { digest_hour: 3, ...body });
    expect([refused.status, Object.keys(refused.body.errors)]).toEqual([422, [expect.stringContaining(at)]]);
    expect(await read()).toEqual(before);
  });

  test('two at once are both stored, and nobody has any without signing in', async () => {
    await Promise.all([
      choose('manager', { channels: { comment: 'mail' } }),
      choose('manager', { channels: { mention: 'mail' } }),
    ]);
    const data = await choose('manager', {});
    expect(data.kinds.filter(({ channel }: { channel: string }) => channel === 'mail')).toHaveLength(3);
    expect((await started.call('GET', '/preferences/notifications')).status).toBe(401);
  });
});

describe('the chosen channel of a notification', () => {
  test('a mail comes at once, with what is said as text and where to change it', async () => {
    await choose('qa', { channels: { announcement: 'mail' } });
    await announce('qa', 'Fire drill', 'At <b>noon</b>.\n\nBring {{code}}.');
    const [mail, ...others] = await mailsTo('qa@demo.test', 'Fire drill');
    expect(others).toEqual([]);
    expect(mail!.headers.subject).toBe('Fire drill');
    expect(mail!.html).toContain('<p dir="auto">At &lt;b&gt;noon&lt;/b&gt;.</p><p dir="auto">Bring {{code}}.</p>');
    expect(mail!.html).toContain('href="https://assay.example.com/notifications"');
    expect(mail!.html).toContain('href="https://assay.example.com/profile/notifications"');
    expect((await noticesOf('qa'))[0]).toMatchObject({ title: 'Fire drill' });
  });

  test('nothing comes at all, not even the mail of an occasion that has one of its own', async () => {
    await choose('qa', { channels: { announcement: 'none', answer: 'none' } });
    await announce('qa', 'Unheard');
    const complaint = { type: 'issue', urgency_id: 2, description: 'It hangs.' };
    const { id } = (await call('POST', '/complaints', 'qa', complaint)).body;
    const answered = await call('PUT', `/complaints/${id}`, 'admin', { status: 'answered', answer: 'Fixed.' });
    expect(answered.status).toBe(200);
    expect((await noticesOf('qa')).filter(({ title }) => /Unheard|complaint/.test(title))).toEqual([]);
    expect(await mailsTo('qa@demo.test', 'complaint')).toEqual([]);
  });
});

describe('changes of what somebody watches', () => {
  const tell = () => tellOfWatchedChanges(started.program, new Date(Date.now() + 600_000));
  let watched: number;
  const rename = async (name: string) => {
    expect((await call('PUT', `/films/${watched}`, 'owner', { name })).status).toBe(200);
    await tell();
  };
  beforeAll(async () => {
    await studioOf((method, path, body) => call(method, path, 'admin', body) as never).publish('films', (source) => {
      source.comments = true;
    });
    watched = await made('films', { name: 'Watched 1' });
    expect((await call('PUT', `/films/${watched}/watch`, 'manager', { state: 'watching' })).status).toBe(200);
  });

  test('come by a mail each time, with what was told of in none before', async () => {
    await choose('manager', { channels: { change: 'mail' } });
    await rename('Watched 2');
    await rename('Watched 3');
    const mails = await mailsTo('manager@demo.test', 'Watched');
    expect(mails.map(({ headers }) => headers.subject)).toEqual([
      expect.stringMatching(/ changed Watched 2$/),
      expect.stringMatching(/ changed Watched 3$/),
    ]);
    expect(mails[1]!.text).toContain('Name: Watched 2 → Watched 3');
    expect(mails[1]!.text).toContain(`https://assay.example.com/films/${watched}`);
  });

  test('are one in a digest, and begin again after it', async () => {
    await choose('manager', { channels: { change: 'digest' }, digest_hour: 6, digest_day: null });
    await digests('2030-03-01T23:00:00Z');
    await rename('Watched 4');
    await rename('Watched 5');
    expect(await digests('2030-03-02T23:00:00Z')).toBe(1);
    await rename('Watched 6');
    expect(await digests('2030-03-03T23:00:00Z')).toBe(1);
    const texts = (await mailsTo('manager@demo.test', 'last summary')).map(({ text }) => text.replace(/\s+/g, ' '));
    expect(texts).toEqual([
      expect.stringMatching(/Name: Watched \d → Watched 5/),
      expect.stringContaining('Name: Watched 5 → Watched 6'),
    ]);
    await choose('manager', { channels: { change: null }, digest_hour: 8 });
  });
});

describe('a digest', () => {
  test('is one mail with what is unread, by record, once, also of several servers at once', async () => {
    await choose('developer', {
      channels: { assignment: 'digest', announcement: 'digest' },
      digest_hour: 6,
      time_zone: 'Asia/Tokyo',
    });
    await call('PATCH', '/preferences', 'developer', { formats: 'de-DE' });
    await digests('2031-03-09T23:00:00Z');
    const shot = await assign('developer', 'Arrival <i>at dawn</i>');
    await announce('developer', 'Read already');
    await announce('developer', 'Party {{link}}', 'On Friday');
    const read = (await noticesOf('developer')).find(({ title }) => title === 'Read already')!;
    await call('PATCH', `/notifications/${read.id}`, 'developer', { isRead: true });
    await started.program.database.kysely
      .withSchema('assay')
      .updateTable('notifications')
      .set({ created_at: new Date('2031-03-10T15:30:00Z') })
      .where('user_id', '=', ids.developer)
      .execute();

    expect(await digests('2031-03-10T20:59:00Z')).toBe(0);
    const queued = await Promise.all([digests('2031-03-10T21:00:00Z'), digests('2031-03-10T21:00:00Z')]);
    expect(queued.sort()).toEqual([0, 1]);
    const [mail, ...others] = await mailsTo('developer@demo.test', 'last summary');
    expect(others).toEqual([]);
    expect(mail!.headers.subject).toBe('2 unread notifications in Assay');
    expect(mail!.html).toContain(`href="https://assay.example.com/shots/${shot}"`);
    expect(mail!.html).toContain('Shot: Arrival &lt;i&gt;at dawn&lt;/i&gt;');
    expect(mail!.html).toContain('<strong>Party {{link}}</strong> (11.03.2031 00:30)');
    expect(mail!.text).toContain('https://assay.example.com/profile/notifications');
    expect(mail!.text).not.toContain('Read already');

    await announce('developer', 'For the next one');
    expect(await digests('2031-03-10T22:00:00Z')).toBe(0);
    expect(await digests('2031-03-11T21:00:00Z')).toBe(1);
    expect(await digests('2031-03-12T21:00:00Z')).toBe(0);
    const [next] = await mailsTo('developer@demo.test', 'For the next one');
    expect(next!.headers.subject).toBe('1 unread notification in Assay');
    expect(next!.text).not.toContain('Party');
  });

  test('shows only records that its reader may still view when it is sent, and none is sent about nothing else', async () => {
    await choose('external', { channels: { assignment: 'digest', announcement: 'digest' }, digest_hour: 6 });
    const team = await made('films', { name: 'Their film', user_ids: [ids.external] });
    await digests('2032-01-01T12:00:00Z');
    await assign('external', 'Secret ending', team);
    expect(await noticesOf('external')).toEqual(
      expect.arrayContaining([expect.objectContaining({ title: 'You were assigned the shot Secret ending' })]),
    );
    await started.stopSender();
    expect(await digests('2032-01-02T12:00:00Z')).toBe(1);
    expect((await call('PUT', `/films/${team}`, 'owner', { user_ids: [] })).status).toBe(200);
    await announce('external', 'Still yours');
    expect(await digests('2032-01-03T12:00:00Z')).toBe(1);
    await started.restartSender();
    const received = (await receivedUntilNow()).filter(({ to }) => to.includes('external@demo.test'));
    expect(received.map(({ headers }) => headers.subject)).toEqual(['1 unread notification in Assay']);
    expect(received[0]!.text).toContain('Still yours');
    expect(received[0]!.text + received[0]!.html).not.toContain('Secret ending');
  });

  test('has no comment that was deleted, and no mention that was taken away, before it is sent', async () => {
    await studioOf((method, path, body) => call(method, path, 'admin', body) as never).publish('films', (source) => {
      source.comments = true;
    });
    const of = await made('films', { name: 'Talked about' });
    const say = async (text: string) =>
      (await call('POST', `/films/${of}/comments`, 'owner', { text, mentions: [ids.manager] })).body.data.id as number;
    await choose('manager', { channels: { mention: 'digest' }, digest_hour: 6, digest_day: null, time_zone: 'UTC' });
    await digests('2032-06-01T12:00:00Z');
    await started.stopSender();
    const [deleted, changed] = [await say('Deleted words'), await say('Unmentioned words')];
    await say('Remaining words');
    expect(await digests('2032-06-02T12:00:00Z')).toBe(1);
    await call('DELETE', `/films/${of}/comments/${deleted}`, 'owner');
    await call('PUT', `/films/${of}/comments/${changed}`, 'owner', { text: 'Unmentioned words', mentions: [] });
    await started.restartSender();
    const [mail, ...others] = await mailsTo('manager@demo.test', 'Remaining words');
    expect(others).toEqual([]);
    expect(mail!.headers.subject).toBe('1 unread notification in Assay');
    expect(mail!.text + mail!.html).not.toMatch(/Deleted words|Unmentioned words/);
    await choose('manager', { channels: { mention: null } });
  });

  test('that the relay refuses comes once all the same, to the address of that time', async () => {
    await choose('qa', { channels: { announcement: 'digest' }, digest_hour: 6 });
    await digests('2033-01-01T12:00:00Z');
    await announce('qa', 'Refused at first');
    started.office.refuse(1);
    expect(await digests('2033-01-02T12:00:00Z')).toBe(1);
    const kysely = started.program.database.kysely.withSchema('assay');
    const isRefused = async () =>
      (await kysely.selectFrom('mails').selectAll().where('attempts', '=', 1).execute()).length === 1;
    while (!(await isRefused())) await new Promise((resolve) => setImmediate(resolve));
    const { kysely: all } = started.program.database;
    await all.updateTable('users').set({ email: 'new.qa@demo.test' }).where('id', '=', ids.qa).execute();
    await kysely
      .updateTable('confirmed_addresses')
      .set({ email: 'new.qa@demo.test' })
      .where('user_id', '=', ids.qa)
      .execute();
    await started.hurry();
    const received = (await receivedUntilNow()).filter(({ text }) => text.includes('Refused at first'));
    expect(received.map(({ to }) => to)).toEqual([['new.qa@demo.test']]);
  });

  test('is not sent to an address that is not confirmed, nor to who was deactivated or erased meanwhile', async () => {
    const kysely = started.program.database.kysely;
    await choose('manager', { channels: { announcement: 'digest' }, digest_hour: 6, digest_day: null });
    await choose('developer', { channels: { announcement: 'digest' }, digest_hour: 6 });
    await digests('2034-01-01T12:00:00Z');
    await started.stopSender();
    await announce('manager', 'Unconfirmed');
    await announce('developer', 'Deactivated');
    await announce('external', 'Erased');
    expect(await digests('2034-01-02T12:00:00Z')).toBe(3);
    await kysely.withSchema('assay').deleteFrom('confirmed_addresses').where('user_id', '=', ids.manager).execute();
    await kysely.updateTable('users').set({ status_id: 2 }).where('id', '=', ids.developer).execute();
    expect((await call('DELETE', `/users/${ids.external}`, 'owner')).status).toBe(200);
    const erased = await call('POST', '/erase-person', 'owner', { user_id: ids.external });
    expect(erased.status, JSON.stringify(erased.body)).toBe(200);
    await started.restartSender();
    const received = await receivedUntilNow();
    expect(received.filter(({ text }) => /Unconfirmed|Deactivated|Erased/.test(text))).toEqual([]);
    const waiting = await kysely.withSchema('assay').selectFrom('notice_choices').select('user_id').execute();
    expect(waiting.map(({ user_id }) => user_id)).not.toContain(ids.external);
  });

  test('no longer has what its reader chose to have otherwise since', async () => {
    await choose('owner', { channels: { announcement: 'digest' }, digest_hour: 6 });
    await digests('2035-01-01T12:00:00Z');
    await announce('owner', 'Taken out');
    await choose('owner', { channels: { announcement: 'notice' } });
    expect(await digests('2035-01-02T12:00:00Z')).toBe(0);
  });
});

describe('the hour is that of the person', () => {
  test.each([
    ['UTC', { digest_hour: 8 }, '2036-06-02T07:59:59Z', '2036-06-02T08:00:00Z'],
    ['Pacific/Auckland', { digest_hour: 0 }, '2036-07-02T11:59:59Z', '2036-07-02T12:00:00Z'],
    ['America/Los_Angeles', { digest_hour: 23 }, '2036-08-03T05:59:59Z', '2036-08-03T06:00:00Z'],
    ['Asia/Kolkata', { digest_hour: 9 }, '2036-09-03T03:29:59Z', '2036-09-03T03:30:00Z'],
    // Clocks go from 2:00 to 3:00: 2:30 does not exist.
    ['Europe/Berlin', { digest_hour: 2 }, '2037-03-29T00:59:59Z', '2037-03-29T01:00:00Z'],
    // And from 3:00 back to 2:00: it is 2:00 twice.
    ['Europe/Berlin', { digest_hour: 2 }, '2037-10-24T23:59:59Z', '2037-10-25T00:00:00Z'],
    ['Europe/Berlin', { digest_hour: 8, digest_day: 1 }, '2038-03-08T06:59:59Z', '2038-03-08T07:00:00Z'],
  ])('in %s, %j: not at %s, but at %s, and not again within the hours after', async (time_zone, when, before, at) => {
    const day = 24 * 60 * 60_000;
    await choose('owner', { channels: { announcement: 'digest' }, digest_day: null, ...when, time_zone });
    await queueDigests(started.program, new Date(Date.parse(at) - (('digest_day' in when ? 7 : 1) * day - 60_000)));
    await announce('owner', `At ${at}`);
    expect(await digests(before)).toBe(0);
    expect(await digests(at)).toBe(1);
    await announce('owner', `After ${at}`);
    for (const hours of [1, 2, 20]) {
      expect(await queueDigests(started.program, new Date(Date.parse(at) + hours * 60 * 60_000))).toBe(0);
    }
    await call('POST', '/notifications/read-all', 'owner');
  });
});
