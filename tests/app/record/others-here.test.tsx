import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { ResourceRecord } from '../../../src/engine/definitions/definition';
import { pantry, servePantry, stored } from '../form/pantry';
import type { Call } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';
// Loads lazy code in advance.
import '../../../src/app/record/RecordPage';

interface Present {
  record_id: number;
  user: { id: number; name: string };
  editing: boolean;
}

let present: Present[];
let entered: unknown[];
beforeEach(() => {
  present = [];
  entered = [];
});
const person = (id: number, name: string, editing = false): Present => ({
  record_id: 7,
  user: { id, name },
  editing,
});

/** A fake server of which the presence answers what `present` has and keeps what was sent. */
function servePresence() {
  const jar: ResourceRecord = { ...stored };
  return servePantry({
    definitions: pantry({}, { page: true }),
    rows: { jars: [jar], shelves: [], boxes: [] },
    answers: {
      'GET /presence': ({ query }: Call) => ({
        status: 200,
        body: { data: query.resource === 'jars' && query.id === '7' ? present : [] },
      }),
      'PUT /presence': ({ body }: Call) => {
        entered.push(body);
        return { status: 200, body: { data: true } };
      },
      'GET /jars/7/history': { status: 200, body: { data: [] }, headers: { 'Content-Range': 'history 0-0/0' } },
    },
  });
}

const words = () => screen.findByRole('img', { name: /jar|here/ });

test('the form says who else is at the record and who is changing it, and follows as they come and go', async () => {
  present = [person(3, 'Dina Haddad')];
  const server = servePresence();
  const user = renderApp('/jars/7');
  expect((await words()).getAttribute('aria-label')).toBe('Dina Haddad is at this jar');
  await waitFor(() =>
    expect(entered).toContainEqual(expect.objectContaining({ resource: 'jars', id: 7, editing: false })),
  );

  present = [person(3, 'Dina Haddad'), person(4, 'Mateo Vidal', true), person(5, 'Zoe Lind', true)];
  act(() => server.publish({ resource: 'presence', id: 'jars/7', event: 'changed' }));
  await screen.findByRole('img', { name: 'Mateo Vidal and Zoe Lind are editing this jar. Dina Haddad is here too' });

  await user.type(screen.getByLabelText(/^Name/), 'y');
  await waitFor(() => expect(entered.at(-1)).toMatchObject({ resource: 'jars', id: 7, editing: true }));

  present = [];
  act(() => server.publish({ resource: 'presence', id: 'jars/7', event: 'changed' }));
  await waitFor(() => expect(screen.queryByRole('img', { name: /jar/ })).toBeNull());
});

test('the page of a record says who else is there, and asks again only when a person comes', async () => {
  const server = servePresence();
  renderApp('/jars/7/view');
  await screen.findByRole('heading', { name: 'Pepper', level: 2 });
  await waitFor(() => expect(entered).toHaveLength(1));
  present = [person(3, 'Dina Haddad')];
  act(() => {
    server.publish({ resource: 'presence', id: 'jars/8', event: 'changed' });
    server.publish({ resource: 'jars', id: 8, event: 'updated' });
  });
  // The other event of the same batch was followed.
  const lists = () => server.calls.filter(({ path }) => path.startsWith('/jars')).length;
  const before = lists();
  await waitFor(() => expect(lists()).toBeGreaterThan(before));
  expect(screen.queryByRole('img', { name: /jar/ })).toBeNull();
  act(() => server.publish({ resource: 'presence', id: 'jars/7', event: 'changed' }));
  expect((await words()).getAttribute('aria-label')).toBe('Dina Haddad is at this jar');
});
