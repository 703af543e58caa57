// @module-tag slow
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { normalise } from '../../../src/engine/normalise/normalise';
import type { Source } from '../../../src/engine/language/source';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const songs = () =>
  normalise({
    name: 'songs',
    labels: { one: 'Song', many: 'Songs' },
    scope: 'installation',
    menu: { group: 'Music', icon: 'layers' },
    fields: {
      name: { type: 'text' },
      channels: {
        type: 'select',
        multiple: true,
        options: [
          { value: 'web', label: 'Web', tone: 'info' },
          { value: 'print', label: 'Print' },
          { value: 'radio', label: 'Radio' },
        ],
      },
    },
    list: { columns: ['id', 'name!', 'channels*'], rowClick: 'edit' },
    form: { sections: [{ label: 'Song', fields: ['name', 'channels'] }] },
    grants: { '1': 'all' },
  } satisfies Source);

const open = (path: string) => {
  const rows = { songs: [{ id: 1, name: 'Emma', channels: ['web', 'radio'] }] };
  const server = fakeServer({ level: 1, definitions: [...fixtureDefinitions(), songs()], rows });
  return { server, user: renderApp(path) };
};

it('a list shows the first of several values and how many others there are', async () => {
  open('/songs');
  const cell = await screen.findByTitle('Web, Radio');
  expect(cell.textContent).toBe('Web+1');
});

it('a form has a chip for each of several values, which the keyboard adds and removes', async () => {
  const { server, user } = open('/songs/1');
  const input = await screen.findByRole('combobox', { name: 'Channels' });
  const box = within(input.parentElement!);
  expect([box.getByText('Web'), box.getByText('Radio')]).toHaveLength(2);
  await user.click(input);
  await user.keyboard('{Backspace}pri{ArrowDown}{Enter}{Escape}');
  expect(box.queryByText('Radio')).toBeNull();
  await user.click(screen.getByRole('button', { name: /^(Save|Update)/ }));
  const call = await waitFor(() => {
    const found = server.calls.find(({ method }) => method === 'PUT');
    expect(found).toBeDefined();
    return found!;
  });
  expect(call.body).toMatchObject({ channels: ['web', 'print'] });
});
