// @module-tag slow
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { localTimeZone } from '../../../src/engine/formats/time-zone';
import { fakeServer } from '../support/fakeServer';
import { renderApp } from '../support/renderApp';

const path = '/preferences/notifications';
const choices = {
  kinds: [
    { key: 'mention', label: 'You are mentioned', description: 'In a comment.', channel: 'notice', usual: 'notice' },
    { key: 'answer', label: 'A ticket is answered', description: null, channel: 'mail', usual: 'mail' },
  ],
  digest_hour: 8,
  digest_day: null,
  time_zone: null,
  company_time_zone: 'Pacific/Chatham',
  address_confirmed: true,
};

type Change = Partial<typeof choices> & { channels?: Record<string, string> };

function start(refusal?: { status: number; body: unknown }) {
  let stored = choices;
  const change = ({ body }: { body?: unknown }) => {
    if (refusal) return refusal;
    const { channels = {}, ...rest } = body as Change;
    const kinds = stored.kinds.map((kind) => ({ ...kind, channel: channels[kind.key] ?? kind.channel }));
    stored = { ...stored, ...rest, kinds };
    return { status: 200, body: { data: stored } };
  };
  const server = fakeServer({
    level: 5,
    permissions: {},
    answers: { [`GET ${path}`]: () => ({ status: 200, body: { data: stored } }), [`PATCH ${path}`]: change },
  });
  const user = renderApp('/profile/notifications');
  const sent = () => server.calls.filter(({ method }) => method === 'PATCH').map(({ body }) => body);
  const choose = async (select: string, option: string) => {
    await user.click(await screen.findByRole('combobox', { name: select }));
    await user.click(await screen.findByRole('option', { name: option }));
  };
  return { user, sent, choose };
}

describe('the choice of notifications', () => {
  it('is stored at once; the first digest comes by the clock of the user', async () => {
    const { sent, choose } = start();
    await choose('You are mentioned', 'In the digest');
    await choose('A ticket is answered', 'Not at all');
    await choose('How often', 'Every Friday');
    await choose('At', '17:00');
    await waitFor(() =>
      expect(sent()).toEqual([
        { channels: { mention: 'digest' }, time_zone: localTimeZone() },
        { channels: { answer: 'none' } },
        { digest_day: 5 },
        { digest_hour: 17 },
      ]),
    );
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'You are mentioned' }).textContent).toBe('In the digest'),
    );
    expect(screen.getByRole('link', { name: 'Notifications', current: 'page' })).toBeTruthy();
  });

  it('finds a time zone by typing', async () => {
    const { user, sent } = start();
    const zone = await screen.findByRole('combobox', { name: 'Time zone of your mails' });
    expect((zone as HTMLInputElement).value).toBe('As the company: Pacific/Chatham');
    await user.clear(zone);
    await user.type(zone, 'toky');
    await user.click(await screen.findByRole('option', { name: 'Asia/Tokyo' }));
    await waitFor(() => expect(sent()).toEqual([{ time_zone: 'Asia/Tokyo' }]));
  });

  it('is taken back with a message if it cannot be stored', async () => {
    const { choose } = start({ status: 403, body: { message: 'Only viewing.', code: 'FORBIDDEN' } });
    await choose('A ticket is answered', 'In the program');
    expect(await screen.findByText('Your choice was not saved: Only viewing.')).toBeTruthy();
    await waitFor(() =>
      expect(screen.getByRole('combobox', { name: 'A ticket is answered' }).textContent).toBe('By mail at once'),
    );
  });
});
