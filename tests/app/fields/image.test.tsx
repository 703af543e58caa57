// @module-tag slow
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeServer, fixtureDefinitions } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const flag = { name: 'flag.png', size: 12_345, type: 'image/png', url: '/api/files/a.png?expires=1&signature=x' };
const definitions = () =>
  fixtureDefinitions((source) =>
    source.name === 'territories'
      ? {
          ...source,
          fields: { ...source.fields, flag: { type: 'image' } },
          list: { ...source.list, columns: ['id*', 'name*', 'flag*'] },
        }
      : source,
  );
const open = (rows: Record<string, unknown>[], path: string) => {
  const server = fakeServer({ level: 1, definitions: definitions(), rows: { territories: rows as never } });
  return { server, user: renderApp(path) };
};
const picture = (name = 'new.png', type = 'image/png', size = 10) => new File([new Uint8Array(size)], name, { type });
const input = () => screen.findByLabelText<HTMLInputElement>(/^Flag/, { selector: 'input' });
const saved = (server: { calls: { method: string; body: unknown }[] }, method: string) =>
  waitFor(() => {
    const call = server.calls.find((one) => one.method === method && one.body !== undefined);
    if (!call) throw new Error('Nothing was sent yet.');
    return call.body as Record<string, unknown>;
  });

beforeEach(() => {
  URL.createObjectURL = vi.fn(() => 'blob:here');
  URL.revokeObjectURL = vi.fn();
});

describe('a picture in a form', () => {
  it('is shown, replaced by a chosen one, and sent as a form', async () => {
    const { server, user } = open([{ id: 1, name: 'Norway', flag }], '/territories/1/edit');
    await screen.findByText('flag.png');
    expect(screen.getByText('12 kB')).toBeTruthy();
    expect(document.querySelector('.picture-shot')?.getAttribute('src')).toBe(flag.url);
    await user.upload(await input(), picture());
    await screen.findByText('new.png');
    await user.click(screen.getByRole('button', { name: /^(Save|Update)/ }));
    const body = await saved(server, 'PUT');
    expect(body.flag).toBeInstanceOf(File);
    expect((body.flag as File).name).toBe('new.png');
    expect(body).not.toHaveProperty('name');
  });

  it('can be dropped and pasted', async () => {
    open([{ id: 1, name: 'Norway', flag: null }], '/territories/1/edit');
    const box = (await input()).closest('.picture')!;
    fireEvent.drop(box, { dataTransfer: { files: [picture('dropped.webp', 'image/webp')] } });
    await screen.findByText('dropped.webp');
    fireEvent.paste(box, { clipboardData: { files: [picture('pasted.jpg', 'image/jpeg')] } });
    await screen.findByText('pasted.jpg');
    // Anywhere in the form, and beside it; text is left to the box that it is pasted into.
    const name = screen.getByRole('textbox', { name: 'Name' });
    const clipboardData = (file: string, text = '') => ({ files: [picture(file)], getData: () => text });
    fireEvent.paste(name, { clipboardData: clipboardData('elsewhere.png') });
    await screen.findByText('elsewhere.png');
    expect(screen.getByText('Pasted here. Save the form to keep it.')).toBeTruthy();
    fireEvent.paste(document.body, { clipboardData: clipboardData('beside.png') });
    await screen.findByText('beside.png');
    fireEvent.paste(name, { clipboardData: clipboardData('of-a-document.png', 'Some words') });
    fireEvent.paste(name, { clipboardData: { files: [picture('film.gif', 'image/gif')], getData: () => '' } });
    await screen.findByText('Flag must be a JPG, PNG or WebP image.');
    expect(screen.getByText('beside.png')).toBeTruthy();
  });

  it('pasted into a form without a picture field shows where there is one', async () => {
    fakeServer({ rows: { scenes: [{ id: 1, name: 'Payments', film_id: 1 }] } });
    renderApp('/scenes/1');
    fireEvent.paste(await screen.findByRole('textbox', { name: 'Name' }), {
      clipboardData: { files: [picture()], getData: () => '' },
    });
    await screen.findByText('There is no field for a picture here. Paste it into Screenshot of a screening.');
  });

  it('is rejected with a message if it is too large or not a picture', async () => {
    open([{ id: 1, name: 'Norway', flag: null }], '/territories/1/edit');
    const box = (await input()).closest('.picture')!;
    fireEvent.drop(box, { dataTransfer: { files: [picture('a.svg', 'image/svg+xml')] } });
    await screen.findByText('Flag must be a JPG, PNG or WebP image.');
    fireEvent.drop(box, { dataTransfer: { files: [picture('b.png', 'image/png', 5 * 1024 * 1024 + 1)] } });
    await screen.findByText('Flag must be at most 5 MB.');
    expect(document.querySelector('.picture-shot')).toBeNull();
  });

  it('is removed', async () => {
    const { server, user } = open([{ id: 1, name: 'Norway', flag }], '/territories/1/edit');
    await user.click(await screen.findByRole('button', { name: 'Remove' }));
    await user.click(screen.getByRole('button', { name: /^(Save|Update)/ }));
    expect(await saved(server, 'PUT')).toMatchObject({ flag: null });
  });
});

it('a picture is shown in a list as a thumbnail with its name', async () => {
  open([{ id: 1, name: 'Norway', flag }], '/territories');
  await screen.findByText('flag.png');
  expect(document.querySelector('.picture-thumb')?.getAttribute('src')).toBe(flag.url);
});
