// @module-tag slow
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeServer, type Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
import { stubScreen } from '../support/screen';

function start(path: string, level: 2 | 5 = 5) {
  const told = [
    {
      id: 2,
      title: 'You were assigned a shot',
      content: 'Fix the checkout',
      date: new Date().toISOString(),
      isRead: false,
      link: '/shots/4',
    },
    { id: 1, title: 'Welcome', content: null, date: '2026-01-02T10:00:00.000Z', isRead: true, link: null },
  ];
  const list = ({ query }: Call) => {
    const data = told.filter(({ isRead }) => query.isRead === undefined || !isRead);
    return { status: 200, body: { data }, headers: { 'Content-Range': `notifications 0-1/${data.length}` } };
  };
  const server = fakeServer({
    level,
    rows: { shots: [{ id: 4, name: 'Fix the checkout', urgency_id: 1, urgency: { id: 1, option_name: 'Urgent' } }] },
    answers: {
      'GET /notifications': list,
      'GET /notifications/2': () => ({ status: 200, body: { data: told.find(({ id }) => id === 2) } }),
      'PATCH /notifications/2': ({ body }) => {
        Object.assign(
          told.find(({ id }) => id === 2)!,
          body,
        );
        return { status: 200, body: { data: told[0] } };
      },
      'POST /notifications/read-all': () => {
        for (const one of told) one.isRead = true;
        return { status: 200, body: { data: { read: 1 } } };
      },
      'POST /notifications': ({ body }) => ({ status: 201, body: { data: body } }),
    },
  });
  return { server, told, user: renderApp(path) };
}
const rows = async () => within(await screen.findByRole('list', { name: 'Notifications' })).getAllByRole('link');

describe('notifications', () => {
  it('are listed, opened, read, and marked as unread again', async () => {
    const { user, told } = start('/notifications');
    expect((await rows()).map(({ dataset }) => dataset.unread)).toEqual(['true', undefined]);
    expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeTruthy();
    const entry = await screen.findByRole('link', { name: 'Notifications 1 Unread' });
    expect(entry.getAttribute('href')).toBe('/notifications');
    await user.click((await rows())[0]!);
    expect(await screen.findByRole('link', { name: 'Notifications' })).toBeTruthy();
    expect(await screen.findByRole('heading', { level: 2, name: 'You were assigned a shot' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Open Shot' }).getAttribute('href')).toBe('/shots/4');
    const about = within(await screen.findByRole('region', { name: 'Shot' }));
    expect(about.getByRole('link', { name: 'Fix the checkout' }).getAttribute('href')).toBe('/shots/4');
    expect(about.getByText('Urgent')).toBeTruthy();
    await user.click(await screen.findByRole('button', { name: 'Mark as unread' }));
    await waitFor(() => expect(told[0]!.isRead).toBe(false));
  });

  it('are all marked as read', async () => {
    const { user } = start('/notifications');
    await user.click(await screen.findByRole('button', { name: 'Mark all as read' }));
    await waitFor(async () => expect((await rows()).every(({ dataset }) => !dataset.unread)).toBe(true));
    expect(screen.getByRole('button', { name: 'Notifications' })).toBeTruthy();
  });

  it('are opened from the bell: at their link, else on their own page', async () => {
    const { user, told } = start('/studios');
    told[0]!.link = null as never;
    await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
    await user.click(await screen.findByRole('button', { name: /You were assigned a shot/ }));
    await waitFor(() => expect(window.location.pathname).toBe('/notifications/2'));
    expect(await screen.findByRole('heading', { level: 2, name: 'You were assigned a shot' })).toBeTruthy();
  });

  it('are fetched for the bell every five minutes, the latest five', async () => {
    vi.useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'],
      shouldAdvanceTime: true,
    });
    const { server, told } = start('/studios');
    expect(await screen.findByRole('button', { name: 'Notifications, 1 unread' })).toBeTruthy();
    const asked = () => server.calls.filter(({ path, query }) => path === '/notifications' && query.range === '[0,4]');
    expect(asked()).toHaveLength(1);
    told[1]!.isRead = false;
    await act(() => vi.advanceTimersByTimeAsync(290_000));
    expect(asked()).toHaveLength(1);
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    expect(await screen.findByRole('button', { name: 'Notifications, 2 unread' })).toBeTruthy();
    expect(asked()).toHaveLength(2);
  });

  it('about a record that a screen of its own shows lead there', async () => {
    const { told } = start('/notifications/2');
    told[0]!.link = '/pages/7';
    expect((await screen.findByRole('link', { name: 'Open Page' })).getAttribute('href')).toBe('/pages/7/open');
  });

  it('lead there by the bell too', async () => {
    const { server, user, told } = start('/studios');
    server.rows.pages = [{ id: 7, name: 'Mornings', tiles: [] }];
    told[0]!.link = '/pages/7';
    await user.click(await screen.findByRole('button', { name: 'Notifications, 1 unread' }));
    await user.click(await screen.findByRole('button', { name: /You were assigned a shot/ }));
    await waitFor(() => expect(window.location.pathname).toBe('/pages/7/open'));
  });

  it('appear while the list is open', async () => {
    const { server, told } = start('/notifications');
    await rows();
    told.unshift({ ...told[0]!, id: 3, title: 'Something new' });
    server.publish({ resource: 'notifications', id: 3, event: 'created' });
    expect(await screen.findByRole('button', { name: 'Notifications, 2 unread' })).toBeTruthy();
    expect((await rows())[0]!.textContent).toContain('Something new');
  });

  it('are announced by owners', async () => {
    const { server, user } = start('/notifications', 2);
    await user.click(await screen.findByRole('link', { name: 'Announcement' }));
    await user.type(await screen.findByRole('textbox', { name: /Title/ }), 'Frozen');
    await user.type(screen.getByRole('textbox', { name: /Content/ }), 'From Friday on.');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText('Announcement sent')).toBeTruthy();
    const sent = server.calls.find(({ method, path }) => method === 'POST' && path === '/notifications');
    expect(sent!.body).toEqual({ title: 'Frozen', content: 'From Friday on.', role_ids: [], user_ids: [] });
  });

  it('are not announced by others', async () => {
    start('/notifications/create');
    await waitFor(() => expect(window.location.pathname).not.toBe('/notifications/create'));
  });
});

describe('beside the list, a notification', () => {
  /** Three, of which the oldest is read. */
  function startWide(path: string, refusal?: { status: number; body: object }) {
    stubScreen((query) => query.includes('min-width'));
    const messages = [3, 2, 1].map((id) => ({
      ...{ id, title: `Message ${id}`, content: null, date: `2026-01-0${id}T10:00:00.000Z`, link: null },
      isRead: id === 1,
    }));
    const one = (id: number) => messages.find((row) => row.id === id)!;
    const answers = Object.fromEntries(
      [1, 2, 3].flatMap((id) => [
        [`GET /notifications/${id}`, () => ({ status: 200, body: { data: one(id) } })],
        [
          `PATCH /notifications/${id}`,
          ({ body }: Call) => refusal ?? { status: 200, body: { data: Object.assign(one(id), body) } },
        ],
      ]),
    );
    const server = fakeServer({
      level: 5,
      answers: {
        ...answers,
        'GET /notifications': ({ query }) => {
          const data = messages
            .filter(({ isRead }) => query.isRead === undefined || !isRead)
            .map((row) => ({ ...row }));
          return { status: 200, body: { data }, headers: { 'Content-Range': `notifications 0-2/${data.length}` } };
        },
      },
    });
    return { server, messages, one, user: renderApp(path) };
  }
  const expectShown = async (title: string) =>
    expect(await screen.findByRole('heading', { level: 2, name: title })).toBeTruthy();

  it('is done with E, and so is the next, where read ones leave the list', async () => {
    const { user, messages } = startWide('/notifications?unread=1');
    messages[2]!.isRead = false;
    await expectShown('Message 3');
    await user.keyboard('e');
    await expectShown('Message 2');
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    await user.keyboard('e');
    await expectShown('Message 1');
    await waitFor(() => expect(messages.map(({ isRead }) => isRead)).toEqual([true, true, true]));
  });

  it('stays shown when another one arrives', async () => {
    const { server, messages } = startWide('/notifications');
    await expectShown('Message 3');
    messages.unshift({ ...messages[0]!, id: 4, title: 'Message 4' });
    server.publish({ resource: 'notifications', id: 4, event: 'created' });
    await waitFor(async () => expect(await rows()).toHaveLength(4));
    await expectShown('Message 3');
  });

  it('that was read before is done without Undo', async () => {
    const { user } = startWide('/notifications/1');
    await expectShown('Message 1');
    await rows();
    await user.keyboard('e');
    expect(await screen.findByText('Message 1: done')).toBeTruthy();
    expect(screen.queryByText('Undo', { selector: 'button' })).toBeNull();
  });

  it('whose reading is refused is not done', async () => {
    const { user, one } = startWide('/notifications', { status: 500, body: { message: 'It is locked.' } });
    await expectShown('Message 3');
    await user.keyboard('e');
    expect((await screen.findAllByText(/^It is locked/)).length).toBeGreaterThan(0);
    expect(screen.queryByText('Message 3: done')).toBeNull();
    expect(one(3).isRead).toBe(false);
  });
});

it('the form of a ticket is cleared after it is raised', async () => {
  const server = fakeServer({
    level: 5,
    rows: { complaints: [] },
    answers: {
      'POST /complaints': { status: 201, body: { id: 1 } },
      'GET /complaints/choices/urgency_id': { status: 200, body: { data: [{ id: 1, title: 'Urgent' }] } },
    },
  });
  const user = renderApp('/complaints/create');
  expect(await screen.findByText('Raise Query')).toBeTruthy();
  const choose = async (label: RegExp, option: string) => {
    await user.click(await screen.findByRole('combobox', { name: label }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  await choose(/Type/, 'Issue');
  await choose(/Urgency/, 'Urgent');
  const description = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Description/ });
  expect(screen.queryByRole('textbox', { name: /Email|Name|Answer/ })).toBeNull();
  await user.type(description, 'It is slow');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Complaint raised Successfully')).toBeTruthy();
  expect(window.location.pathname).toBe('/complaints/create');
  await waitFor(() => expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Description/ }).value).toBe(''));
  expect(server.calls.find(({ method }) => method === 'POST')!.body).toEqual({
    type: 'issue',
    urgency_id: 1,
    description: 'It is slow',
  });
});
