import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Source } from '../../../src/engine/language/source';
import { formatSource } from '../../../src/engine/studio/format-source';
import {
  startModuleDraft,
  deleteSavedDraft,
  saveDraft,
  readSavedDraft,
} from '../../../src/app/studio/draft/savedDraft';
import {
  reduceDraft,
  isUnchanged,
  initialState,
  initialHistory,
  type DraftEvent,
  parseDraft,
} from '../../../src/app/studio/draft/draftHistory';

const boats: Source = {
  name: 'boats',
  labels: { one: 'Boat', many: 'Boats' },
  fields: { name: { type: 'text' }, sails: { type: 'number' } },
};
const base = { version: 3, source: boats };
const named = (label: string) => (source: Source) => ({ ...source, labels: { ...source.labels, many: label } });
const edit = (label: string, at: number, what = 'at /labels'): DraftEvent => ({
  kind: 'edit',
  change: named(label),
  subject: what,
  time: at,
});
const after = (...events: DraftEvent[]) => events.reduce(reduceDraft, initialHistory(base));

describe('the steps of a draft', () => {
  it('go back and forth', () => {
    const steps = after(edit('Ships', 0), edit('Yachts', 5000), { kind: 'undo' });
    expect(steps.now.source.labels.many).toBe('Ships');
    expect(reduceDraft(steps, { kind: 'redo' }).now.source.labels.many).toBe('Yachts');
    expect(isUnchanged(after(edit('Ships', 0), { kind: 'undo' }))).toBe(true);
  });

  it('are one where changes of one place follow each other closely', () => {
    expect(after(edit('S', 0), edit('Sh', 100), edit('Shi', 200)).undoStates).toHaveLength(1);
    expect(after(edit('S', 0), edit('Sh', 100, 'at /rules')).undoStates).toHaveLength(2);
    expect(after(edit('S', 0), edit('Sh', 5000)).undoStates).toHaveLength(2);
  });

  it('do not include changes without an effect', () => {
    expect(after(edit('Boats', 0)).undoStates).toHaveLength(0);
  });

  it('follow a text that can be read, and keep one that cannot', () => {
    const broken = after({ kind: 'write', text: '{ "name": "boats",\n  oops }', time: 0 });
    expect(broken.now.source).toBe(boats);
    expect(broken.now.unreadable?.line).toBe(2);
    expect(isUnchanged(broken)).toBe(false);
    const text = formatSource(named('Ships')(boats));
    const fixed = reduceDraft(broken, { kind: 'write', text, time: 10 });
    expect(fixed.now).toMatchObject({ text, unreadable: null });
    expect(fixed.now.source.labels.many).toBe('Ships');
  });

  it('can be returned to after a draft was discarded, and begin anew on a newer published version', () => {
    const discarded = after(edit('Ships', 0), { kind: 'discard' });
    expect(isUnchanged(discarded)).toBe(true);
    expect(reduceDraft(discarded, { kind: 'undo' }).now.source.labels.many).toBe('Ships');
    const followed = reduceDraft(after(edit('Ships', 0)), {
      kind: 'follow',
      base,
      now: initialState(named('Rafts')(boats)),
      time: 1,
    });
    expect(followed.syncedState).toBe(followed.now);
    expect(reduceDraft(followed, { kind: 'undo' }).now.source.labels.many).toBe('Ships');
    expect(isUnchanged(reduceDraft(followed, { kind: 'follow', time: 2 }))).toBe(true);
    const newer = { version: 4, source: named('Barges')(boats) };
    expect(reduceDraft(discarded, { kind: 'rebase', base: newer, source: newer.source })).toEqual(
      initialHistory(newer),
    );
  });
});

describe('a text as a draft', () => {
  it.each([
    ['[]', 1],
    ['{\n  "labels": 1 }', 1],
    ['{ "name": "a",\n  "labels": { "one": 1, "many": "b" } }', 2],
    ['{ "name": "a",\n  "labels": { "one": "a", "many": "b" },\n  "fields": [] }', 3],
    ['{ "name": "a", "labels": { "one": "a", "many": "b" },\n  "fields": {\n    "x": 1 } }', 3],
  ])('is not read without the parts that every pane needs: %s', (text, line) => {
    expect(parseDraft(text)).toMatchObject({ line });
  });

  it('is read with errors elsewhere, which the server finds', () => {
    expect(parseDraft(JSON.stringify({ ...boats, list: 7 }))).toMatchObject({ source: { list: 7 } });
  });
});

describe('a draft in the browser', () => {
  const stored = new Map<string, string>();
  beforeEach(() => {
    stored.clear();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => stored.set(key, value),
      removeItem: (key: string) => stored.delete(key),
    });
  });

  it('a fix by keyboard is a separate step between typed changes', () => {
    const typed = (text: string, time: number, isSeparate?: boolean) =>
      ({ kind: 'write', text, time, ...(isSeparate && { isSeparate }) }) as const;
    const steps = after(typed('{ 1', 0), typed('{ 2', 10, true), typed('{ 3', 20));
    const back = reduceDraft(steps, { kind: 'undo' });
    expect(back.now.text).toBe('{ 2');
    expect(reduceDraft(back, { kind: 'undo' }).now.text).toBe('{ 1');
  });

  it('is each user’s own, and is found as it was left', () => {
    const { now } = after({ kind: 'write', text: '{', time: 0 }, { kind: 'purge', columns: ['sails'] });
    const kept = { base, now, revision: 3, unsaved: true };
    saveDraft(1, 'boats', kept);
    expect(readSavedDraft(1, 'boats')).toEqual(kept);
    expect(readSavedDraft(2, 'boats')).toBeNull();
    deleteSavedDraft(1, 'boats');
    expect(readSavedDraft(1, 'boats')).toBeNull();
  });

  it('that cannot be read is none', () => {
    stored.set('assay.studio.1.boats', '{"base":{}}');
    expect(readSavedDraft(1, 'boats')).toBeNull();
  });

  it('of a new module counts everything as new', () => {
    startModuleDraft(1, boats);
    expect(readSavedDraft(1, 'boats')).toMatchObject({
      base: { version: 0, source: { fields: {} } },
      now: initialState(boats),
    });
  });
});
