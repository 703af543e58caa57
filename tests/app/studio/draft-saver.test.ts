import { saveSession } from '../../../src/app/session/session';
import { signedIn } from '../auth/fakeApi';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import type { WholeModuleDraft } from '../../../src/engine/studio/module-draft';
import { endedStream, openedStream } from '../../../src/app/data/streamName';
import { initialState } from '../../../src/app/studio/draft/draftHistory';
import { draftKeys } from '../../../src/app/studio/draft/draftApi';
import { createDraftSaver } from '../../../src/app/studio/draft/draftSaver';
import { rememberStored } from '../../../src/app/studio/draft/rememberStored';
import {
  currentDraft,
  deleteSavedDraft,
  fromServer,
  noteStored,
  readSavedDraft,
  saveDraft,
  sentTexts,
  toContent,
  unsavedDrafts,
  type SavedDraft,
} from '../../../src/app/studio/draft/savedDraft';

const labelled = (many: string): Source => ({ name: 'boats', labels: { one: 'Boat', many }, fields: {} });
const base = { version: 3, source: labelled('Boats') };
const draft = (many: string) => ({ base, now: initialState(labelled(many)) });
const stored = (many: string, revision: number): WholeModuleDraft => ({
  ...{ name: 'boats', label: many, user: { id: 1, name: 'Ada' }, base_version: 3 },
  ...{ revision, updated_at: '2026-01-01T00:00:00Z' },
  ...toContent(draft(many)),
});

describe('the choice of the draft that is continued', () => {
  const local = (many: string, revision: number, unsaved: boolean): SavedDraft => ({
    ...draft(many),
    revision,
    unsaved,
  });
  const newer = stored('Theirs', 5);
  it.each<[string, SavedDraft | null, WholeModuleDraft | null | undefined, SavedDraft | null]>([
    ['none', null, null, null],
    ['the one of the server, in another browser', null, newer, fromServer(newer)],
    ['the one of this browser, without a connection', local('Mine', 2, false), undefined, local('Mine', 2, false)],
    ['none, if it was ended elsewhere', local('Mine', 2, false), null, null],
    ['what an earlier version kept in the browser', local('Mine', 0, true), null, local('Mine', 0, true)],
    [
      'what was typed offline, as a new one if it was ended elsewhere',
      local('Mine', 2, true),
      null,
      local('Mine', 0, true),
    ],
    ['the newer one of the server', local('Mine', 4, false), newer, fromServer(newer)],
    ['what was typed offline, in conflict with a newer one', local('Mine', 4, true), newer, local('Mine', 4, true)],
    ['the one of this browser if the answer is older', local('Mine', 6, false), newer, local('Mine', 6, false)],
  ])('%s', (_, mine, theirs, expected) => expect(currentDraft(mine, theirs)).toEqual(expected));
});

it('a draft that this browser has not sent is found, also one of an earlier version', () => {
  saveDraft(1, 'boats', { ...draft('Mine'), revision: 2, unsaved: true });
  saveDraft(1, 'ships', { ...draft('Sent'), revision: 2, unsaved: false });
  saveDraft(2, 'rafts', { ...draft('Of somebody else'), revision: 0, unsaved: true });
  const { source, text, purge } = draft('Old').now;
  localStorage.setItem('assay.studio.1.old', JSON.stringify({ base, source, text, purge }));
  expect(unsavedDrafts(1).sort()).toEqual(['boats', 'old']);
  localStorage.clear();
});

it('the stored draft of the server never replaces one that another tab has typed since', () => {
  saveDraft(1, 'boats', { ...draft('Typed before'), revision: 0, unsaved: true });
  noteStored(1, 'boats', { revision: 1, text: draft('Typed before').now.text });
  expect(readSavedDraft(1, 'boats')).toMatchObject({ revision: 1, unsaved: false });
  saveDraft(1, 'boats', { ...draft('Typed since'), revision: 0, unsaved: true });
  expect(readSavedDraft(1, 'boats')).toMatchObject({ ...draft('Typed since'), revision: 1, unsaved: true });
  deleteSavedDraft(1, 'boats');
  saveDraft(1, 'boats', { ...draft('Another'), revision: 0, unsaved: true });
  expect(readSavedDraft(1, 'boats')).toMatchObject({ revision: 0, unsaved: true });
  localStorage.clear();
});

describe('saving a draft', () => {
  const calls: { method: string; path: string; label?: string; revision?: number; stream?: string }[] = [];
  let answers: (() => Response | Promise<Response>)[] = [];
  const ok = (revision: number) => () => Response.json({ data: { revision } });
  const stale = () => Response.json({ message: 'Changed elsewhere', code: 'CONFLICT_STALE' }, { status: 409 });
  const lost = () => Promise.reject(new TypeError('Failed to fetch'));
  const onSaved = vi.fn();

  beforeEach(() => {
    vi.useFakeTimers();
    calls.length = 0;
    answers = [];
    onSaved.mockClear();
    saveSession(signedIn(1));
    vi.stubGlobal('fetch', async (path: string, { method = 'GET', body }: RequestInit = {}) => {
      const sent =
        typeof body === 'string'
          ? (JSON.parse(body) as { source: Source; revision: number; stream?: string })
          : undefined;
      const { revision, stream } = sent ?? {};
      calls.push({ method, path, ...(sent && { label: sent.source.labels.many, revision, stream }) });
      return answers.shift()!();
    });
  });
  const saver = (revision = 0) =>
    createDraftSaver({ name: 'boats', revision, sentTexts: sentTexts(1, 'boats'), onSaved });

  it('waits until typing pauses, but not longer than five seconds, and sends the last state', async () => {
    answers = [ok(1), ok(2)];
    const one = saver();
    for (const label of ['S', 'Sh', 'Ships']) {
      one.change(draft(label));
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(300);
    expect(calls).toMatchObject([{ method: 'PUT', path: '/api/module-drafts/boats', label: 'Ships', revision: 0 }]);
    expect(one.revision()).toBe(1);
    for (let index = 0; index < 11; index++) {
      one.change(draft(`Ships ${index}`));
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(calls[1]).toMatchObject({ label: 'Ships 9', revision: 1 });
    expect(onSaved).toHaveBeenCalledTimes(2);
  });

  it('names the stream of this window, which needs no event of what it did itself', async () => {
    openedStream('this-window');
    answers = [ok(1), () => Response.json({ status: true })];
    const one = saver();
    one.change(draft('Ships'));
    await one.flush();
    one.change(null);
    await one.flush();
    endedStream('this-window');
    expect(calls[0]).toMatchObject({ method: 'PUT', stream: 'this-window' });
    expect(calls[1]).toEqual({ method: 'DELETE', path: '/api/module-drafts/boats?revision=1&stream=this-window' });
    expect(onSaved.mock.calls.map(([, kept]) => kept as unknown)).toEqual([{ revision: 1 }, null]);
  });

  it('sends text that was typed meanwhile, afterwards', async () => {
    let answer: (response: Response) => void = () => undefined;
    answers = [() => new Promise((resolve) => (answer = resolve)), ok(2)];
    const one = saver();
    one.change(draft('Ships'));
    void one.flush();
    await vi.advanceTimersByTimeAsync(0);
    one.change(draft('Yachts'));
    await vi.advanceTimersByTimeAsync(5000);
    expect(calls).toHaveLength(1);
    answer(ok(1)());
    await vi.advanceTimersByTimeAsync(0);
    expect(calls[1]).toMatchObject({ label: 'Yachts', revision: 1 });
    await one.flush();
    expect([one.state().kind, one.isIdle()]).toEqual(['saved', true]);
  });

  it('keeps a draft that cannot be sent, and sends the newest when there is a connection again', async () => {
    answers = [lost, ok(1)];
    const one = saver();
    one.change(draft('Ships'));
    void one.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(one.state().kind).toBe('offline');
    one.change(draft('Yachts'));
    await vi.advanceTimersByTimeAsync(2000);
    expect(calls.map(({ label }) => label)).toEqual(['Ships', 'Yachts']);
    expect(one.state().kind).toBe('saved');
  });

  it('stops at a conflict until the user decides', async () => {
    answers = [stale, () => Response.json({ data: stored('Theirs', 7) }), ok(8)];
    const one = saver(2);
    one.change(draft('Ships'));
    await one.flush();
    expect(one.state()).toMatchObject({ kind: 'conflict', remoteDraft: { revision: 7 } });
    one.change(draft('Yachts'));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(calls).toHaveLength(2);
    one.keepMine();
    await one.flush();
    expect(calls[2]).toMatchObject({ label: 'Yachts', revision: 7 });
    expect([one.revision(), one.state().kind]).toEqual([8, 'saved']);
  });

  it('takes the same draft from another tab as no conflict', async () => {
    answers = [stale, () => Response.json({ data: stored('Ships', 3) }), ok(4)];
    const one = saver(2);
    one.change(draft('Ships'));
    await one.flush();
    expect([one.revision(), one.state().kind, one.isIdle()]).toEqual([3, 'saved', true]);
    expect(onSaved).toHaveBeenLastCalledWith(draft('Ships'), stored('Ships', 3));
    one.change(draft('Yachts'));
    await one.flush();
    expect(calls[2]).toMatchObject({ label: 'Yachts', revision: 3 });
  });

  it('sends a draft again that met a revision of another tab of this browser', async () => {
    const one = saver();
    answers = [
      stale,
      () => {
        one.learn(1);
        return Response.json({ data: stored('Ship', 1) });
      },
      ok(2),
    ];
    one.change(draft('Ships'));
    await one.flush();
    expect(calls.map(({ label, revision }) => [label, revision])).toEqual([
      ['Ships', 0],
      [undefined, undefined],
      ['Ships', 1],
    ]);
    expect([one.revision(), one.state().kind]).toEqual([2, 'saved']);
  });

  it('continues, or ends, a draft whose answer this browser did not get', async () => {
    sentTexts(1, 'boats').note(draft('Ship').now.text);
    const own = () => Response.json({ data: stored('Ship', 1) });
    answers = [stale, own, ok(2), own, () => Response.json({ status: true })];
    const one = saver();
    one.change(draft('Ships'));
    await one.flush();
    expect([calls[2]!.label, calls[2]!.revision, one.state().kind]).toEqual(['Ships', 1, 'saved']);
    const reloaded = saver();
    reloaded.change(null);
    await reloaded.flush();
    expect(calls[4]).toMatchObject({ method: 'DELETE', path: '/api/module-drafts/boats?revision=1' });
  });

  it('still sends a waiting draft when another tab names the stored revision, and never goes back to an older one', async () => {
    answers = [ok(2)];
    const one = saver();
    one.change(draft('Ships'));
    one.learn(1);
    one.learn(0);
    await vi.advanceTimersByTimeAsync(800);
    expect(calls).toMatchObject([{ method: 'PUT', label: 'Ships', revision: 1 }]);
  });

  it('discards the stored one when no change is left; that it has ended already is no conflict', async () => {
    answers = [() => Response.json({ status: true }), stale, () => Response.json({ data: null })];
    const one = saver(4);
    one.change(null);
    await one.flush();
    expect(calls).toEqual([{ method: 'DELETE', path: '/api/module-drafts/boats?revision=4' }]);
    const other = saver(4);
    other.change(draft('Ships'));
    const saving = other.flush();
    other.change(null);
    await saving;
    expect([other.revision(), other.state().kind, other.isIdle()]).toEqual([0, 'saved', true]);
  });
});

describe('the draft that the server has stored', () => {
  const own = draftKeys.own('boats');
  const whose = { name: 'boats', user: 1 };
  const theirs = { ...stored('Theirs', 2), user: { id: 2, name: 'Bea' } };

  it('is put into the cache, so that it is not fetched', () => {
    const client = new QueryClient();
    rememberStored(client, whose, stored('Ships', 1));
    expect([client.getQueryData(own), client.getQueryData(draftKeys.all)]).toEqual([undefined, undefined]);
    client.setQueryData(own, null);
    client.setQueryData(draftKeys.all, [theirs, stored('Ships', 1)]);
    rememberStored(client, whose, stored('Yachts', 2));
    expect(client.getQueryData(own)).toEqual(stored('Yachts', 2));
    expect(client.getQueryData(draftKeys.all)).toEqual([stored('Yachts', 2), theirs]);
    rememberStored(client, whose, null);
    expect([client.getQueryData(own), client.getQueryData(draftKeys.all)]).toEqual([null, [theirs]]);
  });

  it('is requested again where an older answer is on its way', async () => {
    const client = new QueryClient();
    let answer = (_: WholeModuleDraft) => undefined as void;
    const queryFn = () => new Promise<WholeModuleDraft>((resolve) => (answer = resolve));
    const stop = new QueryObserver(client, { queryKey: own, queryFn }).subscribe(() => undefined);
    const first = answer;
    rememberStored(client, whose, stored('Yachts', 2));
    first(stored('Ships', 1));
    await vi.waitFor(() => expect(answer).not.toBe(first));
    answer(stored('Yachts', 2));
    await vi.waitFor(() => expect(client.getQueryData(own)).toEqual(stored('Yachts', 2)));
    stop();
  });
});
