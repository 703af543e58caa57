import { beforeEach, describe, expect, test, vi } from 'vitest';
import {
  defectText,
  withDefect,
  draftResult,
  emptyDraft,
  foundResult,
  isEmptyDraft,
  withFiles,
  withoutFile,
  withRestPassed,
  withStepComment,
  withStepResult,
  type Draft,
} from '../../../custom-screens/test-runner/draft';
import {
  entryAt,
  groupByModule,
  isShown,
  nextToRun,
  upcomingTests,
} from '../../../custom-screens/test-runner/entryOrder';
import { KeptFiles, type FileStorage, type KeepProblem } from '../../../custom-screens/test-runner/keptFiles';
import { ResultQueue } from '../../../custom-screens/test-runner/resultQueue';
import type { Entry, FoundResult, PersonResult, Result } from '../../../custom-screens/test-runner/runnerApi';
import { retryNow } from '../../../src/app/session/connection';
import { clearSession, saveSession, type Session } from '../../../src/app/session/session';

const person = 7;
const signedIn = (id: number): Session => ({
  token: `token-of-${id}`,
  token_type: 'Bearer',
  user: { id, name: 'Ada', first_name: 'Ada', last_name: 'Novak', email: 'ada@novak.test', role_id: 5, site_id: 1 },
  role: { id: 5, role_name: 'QA', level: 5 },
});
const found = (result: PersonResult): FoundResult => ({ result, comment: null, elapsed_seconds: null, steps: [] });
const result = (entry: number, value: PersonResult = 'passed') => ({
  run: 1,
  entry,
  name: `Test ${entry}`,
  found: found(value),
});

describe('results on their way', () => {
  let answers: (() => Response)[];
  let sent: {
    entry: number;
    key: string | null;
    result: string;
    files: string[];
    steps?: FoundResult['steps'];
  }[];
  const ok = () => Response.json({ data: { id: 1 } });
  const lost = (): Response => {
    throw new TypeError('Failed to fetch');
  };
  const refuse = (status: number, code: string, message: string) => () => Response.json({ message, code }, { status });

  beforeEach(() => {
    localStorage.clear();
    answers = [];
    sent = [];
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      const entry = Number(/run-entries\/(\d+)\/result/.exec(url)![1]);
      const key = new Headers(init.headers).get('idempotency-key');
      if (init.body instanceof FormData) {
        const files = init.body.getAll('evidence') as File[];
        const texts = await Promise.all(files.map(async (file) => `${file.name}: ${await file.text()}`));
        sent.push({ entry, key, result: String(init.body.get('result')), files: texts });
      } else {
        const { result: value, steps } = JSON.parse(init.body as string) as FoundResult;
        sent.push({ entry, key, result: value, files: [], ...(steps.length > 0 && { steps }) });
      }
      return (answers.shift() ?? ok)();
    });
    saveSession(signedIn(person));
  });
  const stored = () => JSON.parse(localStorage.getItem(`assay.results.${person}`) ?? '[]') as { entry: number }[];

  test('are sent in their order, each with a key of its own, and are gone when the server has them', async () => {
    const queue = new ResultQueue(person);
    const told: number[] = [];
    queue.listenToStored(({ id }) => told.push(id));
    queue.add(result(1));
    queue.add(result(2, 'failed'));
    await vi.waitFor(() => expect(queue.snapshot()).toEqual([]));
    expect(sent.map(({ entry }) => entry)).toEqual([1, 2]);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(2);
    expect(told).toHaveLength(2);
    expect(stored()).toEqual([]);
  });

  test('wait without an answer, survive the page, and are sent again with the same key', async () => {
    answers = [lost];
    const queue = new ResultQueue(person);
    queue.add(result(1));
    queue.add(result(2));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(stored().map(({ entry }) => entry)).toEqual([1, 2]);
    expect(new ResultQueue(person).snapshot()).toHaveLength(2);
    retryNow();
    await vi.waitFor(() => expect(stored()).toEqual([]));
    expect(sent.map(({ entry }) => entry)).toEqual([1, 1, 2]);
    expect(sent[0]!.key).toBe(sent[1]!.key);
  });

  test.each([
    ['a server that restarts', refuse(503, 'UNAVAILABLE', 'Restarting.')],
    ['too many requests', refuse(429, 'RATE_LIMITED', 'Too many.')],
    ['the same request in progress', refuse(409, 'CONFLICT_IN_PROGRESS', 'In progress.')],
  ])('wait for %s', async (_, answer) => {
    answers = [answer];
    const queue = new ResultQueue(person);
    queue.add(result(1));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    retryNow();
    await vi.waitFor(() => {
      retryNow();
      expect(queue.snapshot()).toEqual([]);
    });
    expect(sent).toHaveLength(2);
  });

  test('that are refused stay with the reason until they are discarded, and the others go on', async () => {
    answers = [refuse(409, 'CONFLICT', 'The run is closed.')];
    const queue = new ResultQueue(person);
    queue.add(result(1));
    queue.add(result(2));
    await vi.waitFor(() => expect(sent).toHaveLength(2));
    await vi.waitFor(() => expect(queue.snapshot()).toMatchObject([{ entry: 1, refusal: 'The run is closed.' }]));
    queue.discard(queue.snapshot()[0]!.key);
    expect(stored()).toEqual([]);
  });

  describe('with files', () => {
    const stored = new Map<string, Blob>();
    const storage: FileStorage = {
      put: async (id, file) => void stored.set(id, file),
      get: async (id) => stored.get(id),
      delete: async (id) => void stored.delete(id),
      ids: async () => [...stored.keys()],
    };
    const picture = (text: string, name = 'image.png') => new File([text], name, { type: 'image/png' });
    const problems: KeepProblem[] = [];
    const keep = (kept: KeptFiles, file: File) => kept.keep(file, file.name, (problem) => problems.push(problem));
    beforeEach(() => {
      stored.clear();
      problems.length = 0;
    });

    test('survive the page, are sent once with their result in its turn, and are gone then', async () => {
      // As an earlier version stored it.
      localStorage.setItem(`assay.results.${person}`, JSON.stringify([{ ...result(1), key: 'earlier' }]));
      clearSession();
      const kept = new KeptFiles(storage);
      const files = [keep(kept, picture('first')), keep(kept, picture('second', 'phone.png'))];
      new ResultQueue(person, kept).add({ ...result(2, 'failed'), files });
      await vi.waitFor(() => expect(stored.size).toBe(2));
      await vi.waitFor(() => expect(kept.hasUnstored()).toBe(false));

      saveSession(signedIn(person));
      answers = [ok, lost];
      const later = new ResultQueue(person, new KeptFiles(storage));
      void later.send();
      await vi.waitFor(() => expect(sent).toHaveLength(2));
      expect(stored.size).toBe(2);
      await vi.waitFor(() => {
        retryNow();
        expect([later.snapshot(), stored.size]).toEqual([[], 0]);
      });
      const failed = {
        entry: 2,
        key: sent[1]!.key,
        result: 'failed',
        files: ['image.png: first', 'phone.png: second'],
      };
      expect(sent).toEqual([{ entry: 1, key: 'earlier', result: 'passed', files: [] }, failed, failed]);
      expect(problems).toEqual([]);
    });

    test('whose file is gone stays with the reason, and can be stored without it', async () => {
      const kept = new KeptFiles(storage);
      const file = keep(kept, picture('gone'));
      kept.drop([file.id]);
      const queue = new ResultQueue(person, kept);
      const steps = [{ index: 2, result: 'passed', comment: null, evidence: [1] }] as const;
      queue.add({ ...result(1), found: { ...found('passed'), steps }, files: [file] });
      queue.add(result(2));
      const refusal = '“image.png” is no longer kept in this browser.';
      await vi.waitFor(() => expect(queue.snapshot()).toMatchObject([{ entry: 1, refusal }]));
      queue.retryWithoutFiles(queue.snapshot()[0]!.key);
      await vi.waitFor(() => expect(queue.snapshot()).toEqual([]));
      expect(sent).toMatchObject([
        { entry: 2 },
        { entry: 1, files: [], steps: [{ index: 2, result: 'passed', comment: null }] },
      ]);
      expect(sent[1]!.steps![0]).not.toHaveProperty('evidence');
    });

    test('that the server refused can be sent again, with them', async () => {
      answers = [refuse(413, 'QUOTA_EXCEEDED', 'You can store 1 GB of files.')];
      const kept = new KeptFiles(storage);
      const queue = new ResultQueue(person, kept);
      queue.add({ ...result(1), files: [keep(kept, picture('kept'))] });
      await vi.waitFor(() => expect(queue.snapshot()).toMatchObject([{ refusal: 'You can store 1 GB of files.' }]));
      queue.retry(queue.snapshot()[0]!.key);
      await vi.waitFor(() => expect(queue.snapshot()).toEqual([]));
      expect(sent).toMatchObject([{ files: ['image.png: kept'] }, { files: ['image.png: kept'] }]);
    });

    test('are sent from the page if the browser has no space for them, nor for the result; and it is said', async () => {
      const full = async () => {
        throw new DOMException('Full', 'QuotaExceededError');
      };
      vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
        throw new DOMException('Full', 'QuotaExceededError');
      });
      answers = [lost];
      const kept = new KeptFiles({ ...storage, put: full });
      const queue = new ResultQueue(person, kept);
      const unreadable = picture('x');
      unreadable.arrayBuffer = () => Promise.reject(new DOMException('Changed', 'NotReadableError'));
      keep(kept, unreadable);
      queue.add({ ...result(1), files: [keep(kept, picture('big'))] });
      await vi.waitFor(() => expect([sent.length, [...problems].sort()]).toEqual([1, ['no space', 'unreadable']]));
      expect(queue.isUnstored()).toBe(true);
      await vi.waitFor(() => {
        retryNow();
        expect(queue.snapshot()).toEqual([]);
      });
      expect(sent.map(({ files }) => files)).toEqual([['image.png: big'], ['image.png: big']]);
      expect([queue.isUnstored(), kept.hasUnstored()]).toEqual([false, false]);
    });

    test('of tabs that were closed long ago are deleted, unless a result waits for them', async () => {
      const old = Date.now() - 15 * 24 * 60 * 60 * 1000;
      for (const id of [`${old}-draft`, `${old}-waiting`, `${Date.now()}-new`]) stored.set(id, picture(id));
      await new KeptFiles(storage).sweep(new Set([`${old}-waiting`]));
      expect([...stored.keys()].map((id) => id.split('-')[1])).toEqual(['waiting', 'new']);
    });
  });

  test('are never sent in the name of another person', async () => {
    answers = [lost];
    const queue = new ResultQueue(person);
    queue.add(result(1));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    saveSession(signedIn(8));
    retryNow();
    await queue.send();
    // A queue of the other person has nothing of it.
    const theirs = new ResultQueue(8);
    theirs.add(result(2));
    await vi.waitFor(() => expect(theirs.snapshot()).toEqual([]));
    expect(sent.map(({ entry }) => entry)).toEqual([1, 2]);
    expect(stored()).toHaveLength(1);
    saveSession(signedIn(person));
    void queue.send();
    await vi.waitFor(() => expect(stored()).toEqual([]));
  });
});

describe('a draft', () => {
  const of = (...results: (PersonResult | undefined)[]): Draft =>
    results.reduce((draft, one, index) => (one ? withStepResult(draft, index + 1, one) : draft), emptyDraft);

  test.each<[string, Draft, number, PersonResult | undefined]>([
    ['nothing yet', emptyDraft, 3, undefined],
    ['one step is missing', of('passed', 'passed'), 3, undefined],
    ['all passed', of('passed', 'passed', 'passed'), 3, 'passed'],
    ['passed and skipped', of('passed', 'skipped', 'passed'), 3, 'passed'],
    ['all skipped', of('skipped', 'skipped'), 2, 'skipped'],
    ['one failed, others missing', of('passed', 'failed'), 3, 'failed'],
    ['failed and blocked', of('blocked', 'failed'), 2, 'failed'],
    ['blocked', of('passed', 'blocked'), 3, 'blocked'],
    ['the person decides', { ...of('failed'), chosen: 'blocked' }, 3, 'blocked'],
    ['no steps', emptyDraft, 0, undefined],
    ['the rest passed', withRestPassed(of('passed'), 3), 3, 'passed'],
    ['the rest passed, one failed', withRestPassed(of(undefined, 'failed'), 3), 3, 'failed'],
  ])('%s', (_, draft, count, expected) => {
    expect(draftResult(draft, count)).toBe(expected);
  });

  test('loses a result that is chosen again, and an empty comment', () => {
    expect(withStepResult(of('failed'), 1, 'failed')).toEqual(emptyDraft);
    expect(withStepComment(withStepComment(emptyDraft, 2, 'Slow'), 2, '')).toEqual(emptyDraft);
  });

  test('with files loses each that is removed', () => {
    const file = (id: string) => ({ id, name: `${id}.png`, type: 'image/png', size: 1 });
    const draft = withFiles(withFiles(emptyDraft, [file('a')]), [file('b')]);
    expect([draft.files!.map(({ id }) => id), isEmptyDraft(draft)]).toEqual([['a', 'b'], false]);
    expect(isEmptyDraft(withoutFile(withoutFile(draft, 'a'), 'b'))).toBe(true);
  });

  test('is stored with the steps that have something; one with a comment alone gets the result of the test', () => {
    const draft = { ...withStepComment(of('passed'), 3, ' Slow '), comment: '  ' };
    expect(foundResult(draft, 'failed', 12)).toEqual({
      result: 'failed',
      comment: null,
      elapsed_seconds: 12,
      steps: [
        { index: 1, result: 'passed', comment: null },
        { index: 3, result: 'failed', comment: 'Slow' },
      ],
    });
  });

  test('becomes a defect with the steps up to the one that failed', () => {
    const steps = [
      { action: 'Open', data: 'Card', expected: 'It opens' },
      { action: 'Pay', expected: 'Paid' },
      { action: 'Close', expected: 'Closed' },
    ];
    const draft = { ...withStepComment(of('passed', 'failed'), 2, 'Paid twice'), comment: 'On Safari' };
    expect(defectText({ steps }, draft)).toEqual({
      heading: 'Steps, failed at 2 of 3',
      steps: ['Open (Card)', 'Pay **· failed here**'],
      reproduction: '',
      expectedResult: 'Paid',
      actual: 'Paid twice\nOn Safari',
      failedStep: 2,
    });
    const text = { steps_to_reproduce: 'Open it', expected_result: 'It opens' };
    expect(defectText(text, { ...emptyDraft, comment: 'Nothing' })).toEqual({
      heading: 'Steps',
      steps: [],
      reproduction: 'Open it',
      expectedResult: 'It opens',
      actual: 'Nothing',
    });
  });
});

test.each([
  ['nothing', emptyDraft, 'failed'],
  ['a blocked test', { ...emptyDraft, chosen: 'blocked' }, 'blocked'],
  ['a failed step', withStepResult(emptyDraft, 1, 'failed'), 'failed'],
] as const)('a defect of %s stores the result', (_, draft, result) =>
  expect(draftResult(withDefect(draft, 2), 2)).toBe(result),
);

describe('the tests of a run', () => {
  const entry = (id: number, module: string | null, value: Result = 'not_run', assigned = 0): Entry => ({
    id,
    name: `Test ${id}`,
    result: value,
    module,
    test_case: { id, name: `Test ${id}`, key: `TC-${id}` },
    configuration: null,
    assigned: assigned === 0 ? null : { id: assigned, name: 'Ada Novak' },
    updated_at: '2026-11-24T00:00:00.000Z',
  });
  const all = [entry(1, 'B'), entry(2, 'A', 'passed'), entry(3, 'B', 'failed', 7), entry(4, null), entry(5, 'A')];
  const resultOf = (one: Entry) => one.result;
  const ids = (some: readonly Entry[]) => some.map(({ id }) => id);

  test('are grouped by module in the order in which modules first appear', () => {
    expect(ids(groupByModule(all))).toEqual([1, 3, 2, 5, 4]);
  });

  test.each([
    ['all', '', [1, 2, 3, 4, 5]],
    ['mine', '', [3]],
    ['not_run', '', [1, 4, 5]],
    ['all', 'tc-4', [4]],
    ['all', 'novak test', [3]],
    ['not_run', 'passed', []],
  ] as const)('%s with "%s"', (filter, search, expected) => {
    expect(ids(all.filter((one) => isShown(one, one.result, filter, search, 7)))).toEqual(expected);
  });

  test('are run after the current one, then from the start', () => {
    expect(nextToRun(all, 1, resultOf)?.id).toBe(4);
    expect(nextToRun(all, 5, resultOf)?.id).toBe(1);
    expect(nextToRun([all[1]!], 2, resultOf)).toBeUndefined();
    expect(nextToRun(all, 99, resultOf)?.id).toBe(1);
    expect(entryAt(all, 5, 1)).toBeUndefined();
    expect(entryAt(all, 99, 1)?.id).toBe(1);
  });

  test('are preloaded if they are to be run next or are neighbours', () => {
    expect(upcomingTests(all, 2, resultOf)).toEqual([4, 5, 3, 1]);
  });
});
