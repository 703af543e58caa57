import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendDeadlineReminders } from '../../../src/product/notices/deadlines';
import type { LiveEvent } from '../../../src/server/live/live-hub';
import { startWork, type Account, type Row, type Work } from '../work';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work.program.close());

interface Told {
  title: string;
  content: string;
  link: string | null;
  isRead: boolean;
}

/** What somebody is told while something is done, the newest first. */
async function toldTo(account: Account, act: () => Promise<unknown>): Promise<Told[]> {
  const all = async () => (await work.as[account]<{ data: (Told & Row)[] }>('GET', '/notifications')).body.data;
  const before = new Set((await all()).map(({ id }) => id));
  await act();
  return (await all()).filter(({ id }) => !before.has(id));
}
const newCase = async (values: object = {}) =>
  work.make('owner', 'test-cases', { name: 'Card is charged twice', project_id: work.open, ...values });
const newTask = async (values: object = {}) =>
  work.make('owner', 'tasks', {
    name: 'Fix the checkout',
    project_id: work.open,
    project_module_id: await work.moduleOf(work.open),
    description: 'Now',
    status_id: 1,
    priority_id: 1,
    ...values,
  });

describe('a new assignee is notified', () => {
  test('of a record that is assigned at its creation, with the text of the template', async () => {
    const told = await toldTo('developer', () => newCase({ assigned_to: work.ids.developer }));
    expect(told).toMatchObject([
      {
        title: 'You were assigned the test case Card is charged twice',
        content: expect.stringMatching(/^Hello \w+, \w+ .+ has assigned you the test case “Card is charged twice”/),
        link: expect.stringMatching(/^\/test-cases\/\d+$/),
        isRead: false,
      },
    ]);
  });

  test('once when the assignee of a record changes', async () => {
    const task = await newTask({ assigned_to: work.ids.qa });
    const told = await toldTo('developer', async () => {
      await work.as.owner('PUT', `/tasks/${task.id}`, { assigned_to: work.ids.developer });
      await work.as.owner('PUT', `/tasks/${task.id}`, { name: 'Fix it', assigned_to: work.ids.developer });
    });
    expect(told).toMatchObject([{ title: 'You were assigned the task Fix the checkout', link: `/tasks/${task.id}` }]);
  });

  test('and the notification is deleted with its record', async () => {
    const told = await toldTo('qa', async () => {
      const task = await newTask({ assigned_to: work.ids.qa });
      expect((await work.as.owner('DELETE', `/tasks/${task.id}`)).status).toBe(200);
    });
    expect(told).toEqual([]);
  });

  test('but not of an assignment to themselves', async () => {
    const task = await newTask();
    const take = () => work.as.developer('PUT', `/tasks/${task.id}`, { assigned_to: work.ids.developer });
    expect(await toldTo('developer', take)).toEqual([]);
  });
});

describe('the author and the assignee of a record are notified of its comments', () => {
  test.each([
    ['test-case', newCase],
    ['task', newTask],
  ] as const)('of a %s', async (path, make) => {
    const record = await make({ assigned_to: work.ids.qa });
    const comment = { status_id: 2, assigned_to: work.ids.qa, comments: 'Seen {{title}} <b>twice</b>' };
    const { assigned_to: _, ...taskComment } = comment;
    const say = async () => {
      const body = path === 'task' ? taskComment : comment;
      expect((await work.as.developer('PATCH', `/${path}/${record.id}`, body)).status).toBe(200);
    };
    let ofOwner: Told[] = [];
    let ofDeveloper: Told[] = [];
    const ofQa = await toldTo('qa', async () => {
      ofOwner = await toldTo('owner', async () => {
        ofDeveloper = await toldTo('developer', say);
      });
    });
    for (const told of [ofQa, ofOwner]) {
      expect(told).toHaveLength(1);
      expect(told[0]!.title).toMatch(/ commented on /);
      expect(told[0]!.content).toContain('Seen {{title}} <b>twice</b>');
    }
    expect(ofDeveloper).toEqual([]);
  });
});

test('a notification uses the template of the company', async () => {
  await work.make('owner', 'notification-templates', {
    identifier: 'task_assigned',
    subject: '{{ title }}: over to you, {{name}}{{unknown}}',
    content: 'From {{actor}}',
  });
  const told = await toldTo('qa', () => newTask({ assigned_to: work.ids.qa }));
  expect(told[0]!.title).toMatch(/^Fix the checkout: over to you, \w+$/);
});

test('a notification is announced to open screens of its recipient alone', async () => {
  const heard: LiveEvent[] = [];
  const stop = work.program.program.live.subscribe((event) => heard.push(event));
  await newTask({ assigned_to: work.ids.developer });
  stop();
  expect(heard.filter(({ resource }) => resource === 'notifications')).toEqual([
    { resource: 'notifications', id: expect.any(Number), event: 'created', user_id: work.ids.developer },
  ]);
});

describe('a deadline is announced the day before', () => {
  const noon = new Date('2031-03-10T12:00:00Z');
  const zone = (time_zone: string) =>
    work.program.program.database.kysely.updateTable('sites').set({ time_zone }).where('id', '=', 1).execute();

  test.each([
    ['UTC', '2031-03-11'],
    ['Pacific/Kiritimati', '2031-03-12'],
    ['Not/A_Zone', '2031-03-11'],
  ])('by the clock of the company (%s), once', async (timeZone, end_date) => {
    await zone(timeZone);
    await sendDeadlineReminders(work.program.program, noon);
    const task = await newTask({ assigned_to: work.ids.qa, end_date });
    await newTask({ assigned_to: work.ids.qa, end_date: '2031-03-13' });
    await newTask({ assigned_to: work.ids.qa, end_date, status_id: 3 });
    const counts: number[] = [];
    const told = await toldTo('qa', async () => {
      counts.push(await sendDeadlineReminders(work.program.program, noon));
      counts.push(await sendDeadlineReminders(work.program.program, noon));
    });
    expect(counts).toEqual([1, 0]);
    expect(told).toMatchObject([
      { title: expect.stringMatching(/is due on \d\d-Mar-2031$/), link: `/tasks/${task.id}` },
    ]);
    await zone('UTC');
  });

  test('with the day as each reads it', async () => {
    expect((await work.as.qa('PATCH', '/preferences', { formats: 'de-DE' })).status).toBe(200);
    await newTask({ assigned_to: work.ids.qa, end_date: '2033-01-02' });
    await newTask({ assigned_to: work.ids.developer, end_date: '2033-01-02' });
    const remind = () => sendDeadlineReminders(work.program.program, new Date('2033-01-01T08:00:00Z'));
    let ofDeveloper: Told[] = [];
    const ofQa = await toldTo('qa', async () => {
      ofDeveloper = await toldTo('developer', remind);
    });
    expect([ofQa, ofDeveloper].map((told) => told.map(({ title }) => title.replace(/^.* is/, 'It is')))).toEqual([
      ['It is due on 02.01.2033'],
      ['It is due on 02-Jan-2033'],
    ]);
    await work.as.qa('PATCH', '/preferences', { formats: null });
  });

  test('by one server alone, however many try', async () => {
    await newTask({ assigned_to: work.ids.qa, end_date: '2032-01-02' });
    const day = new Date('2032-01-01T08:00:00Z');
    const told = await toldTo('qa', () =>
      Promise.all([1, 2, 3, 4].map(() => sendDeadlineReminders(work.program.program, day))),
    );
    expect(told).toHaveLength(1);
  });
});

describe('announcements', () => {
  const body = { title: 'Release is frozen', content: 'From Friday on.' };

  test.each(['manager', 'developer', 'qa', 'external'] as const)('are not made by the %s', async (account) => {
    const { status, body: answer } = await work.as[account]<{ message: string }>('POST', '/notifications', body);
    expect([status, answer.message]).toEqual([403, 'Only administrators and company owners can make announcements.']);
  });

  test('reach the chosen roles and people', async () => {
    const choice = { ...body, role_ids: [5], user_ids: [work.ids.developer] };
    let ofManager: Told[] = [];
    const told = await toldTo('developer', async () => {
      ofManager = await toldTo('manager', async () => {
        expect((await work.as.owner('POST', '/notifications', choice)).status).toBe(201);
      });
    });
    expect(told).toMatchObject([{ title: 'Release is frozen', content: 'From Friday on.', link: null }]);
    expect(ofManager).toEqual([]);
  });

  test('reach everybody of the company, and nobody else, without a choice', async () => {
    let ofOthers: Told[] = [];
    const told = await toldTo('external', async () => {
      ofOthers = await toldTo('harbour', () => work.as.owner('POST', '/notifications', body));
    });
    expect([told.length, ofOthers.length]).toEqual([1, 0]);
  });

  test.each([
    ['no title', { content: 'x' }, 'title'],
    ['no content', { title: 'x', content: ' ' }, 'content'],
    ['a role that is none', { ...body, role_ids: [999_999] }, 'role_ids'],
    ['people that are no list', { ...body, user_ids: 'all' }, 'user_ids'],
    ['something unknown', { ...body, link: '/x' }, 'link'],
  ])('are refused with %s', async (_, sent, field) => {
    const { status, body: answer } = await work.as.owner<{ errors: object }>('POST', '/notifications', sent);
    expect([status, Object.keys(answer.errors)]).toEqual([422, [field]]);
  });

  test("do not reach another company's people", async () => {
    const sent = { ...body, user_ids: [work.ids.harbour] };
    expect((await work.as.owner('POST', '/notifications', sent)).status).toBe(422);
    expect((await work.as.admin('POST', '/notifications', sent)).status).toBe(201);
  });
});
