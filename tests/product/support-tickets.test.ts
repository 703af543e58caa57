import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Account, type Row, type Work } from './work';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work.program.close());

const query = { type: 'issue', priority_id: 2, description: 'The board forgets its filter' };
const raise = (account: Account, values: object = {}) => work.make(account, 'support-tickets', { ...query, ...values });

describe('a ticket', () => {
  test.each(['owner', 'manager', 'developer', 'qa', 'external'] as const)(
    'is raised by the %s, in their name',
    async (account) => {
      const ticket = await raise(account);
      expect(ticket).toMatchObject({
        ...query,
        email: `${account}@demo.test`,
        name: expect.stringMatching(/\w \w/),
        status: 'open',
        added_by: { id: work.ids[account] },
      });
      const { body } = await work.as[account]<Row[]>('GET', '/support-tickets');
      expect(body.every(({ created_by }) => created_by === work.ids[account])).toBe(true);
      expect(body.map(({ id }) => id)).toContain(ticket.id);
    },
  );

  test('has its real sender, whatever is sent', async () => {
    const ticket = await raise('qa', { name: 'Somebody Else', email: 'else@demo.test' });
    expect(ticket.email).toBe('qa@demo.test');
  });

  test('is visible to its author and to level 1', async () => {
    const { id } = await raise('qa');
    const seen = async (account: Account) => (await work.as[account]('GET', `/support-tickets/${id}`)).status;
    expect(await seen('qa')).toBe(200);
    expect(await seen('admin')).toBe(200);
    for (const other of ['owner', 'manager', 'developer', 'external', 'harbour'] as const) {
      expect([other, await seen(other)]).toEqual([other, 404]);
    }
  });

  test('is answered only by level 1, and its author is notified', async () => {
    const { id } = await raise('developer');
    const answer = { status: 'answered', answer: 'Fixed in the release of Friday.' };
    for (const account of ['developer', 'owner'] as const) {
      expect((await work.as[account]('PUT', `/support-tickets/${id}`, answer)).status).toBe(403);
      expect((await work.as[account]('DELETE', `/support-tickets/${id}`)).status).toBe(403);
    }
    expect((await work.as.admin('PUT', `/support-tickets/${id}`, answer)).status).toBe(200);
    expect((await work.as.developer('GET', `/support-tickets/${id}`)).body).toMatchObject(answer);
    const { body } = await work.as.developer<{ data: Row[] }>('GET', '/notifications?range=[0,0]');
    expect(body.data[0]).toMatchObject({
      title: 'Your support ticket was answered',
      content: expect.stringContaining(answer.answer),
      link: `/support-tickets/${id}`,
    });
    const mails = work.program.program.database.kysely.withSchema('assay').selectFrom('mails').select(['about']);
    expect(await mails.where('occasion', '=', 'ticket_answered').execute()).toEqual([
      { about: { user_id: work.ids.developer, path: `/support-tickets/${id}` } },
    ]);
  });

  test('is not answered by its author', async () => {
    const { status } = await work.as.qa('POST', '/support-tickets', { ...query, answer: 'Done' });
    expect(status).toBe(403);
  });

  test.each([
    [{ priority_id: 2, description: 'x' }, 'type'],
    [{ ...query, type: 'praise' }, 'type'],
  ])('with %j is refused', async (sent, field) => {
    const { status, body } = await work.as.qa<{ errors: object }>('POST', '/support-tickets', sent);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });
});
