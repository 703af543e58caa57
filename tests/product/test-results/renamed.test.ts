import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startWork, type Account, type Row, type Work } from '../work';
import { storedTests, upload, type Outcome, type ResultFile } from './upload';

let work: Work;
beforeAll(async () => {
  work = await startWork();
});
afterAll(() => work?.program.close());

type One = { data: Row; message?: string; code?: string };
type Many = { data: Row[] };

let made = 0;
const fresh = (text: string) => `${text} ${++made}`;
const failure = '<failure message="wrong">wrong</failure>';

interface Test {
  name: string;
  suite?: string;
  file?: string;
  content?: string;
}
function junit(suite: string, tests: readonly (string | Test)[]): ResultFile {
  const cases = tests.map((one) => {
    const { name, suite: own = suite, file, content = '' } = typeof one === 'string' ? ({ name: one } as Test) : one;
    return `<testcase classname="${own}" name="${name}"${file ? ` file="${file}"` : ''} time="0.5">${content}</testcase>`;
  });
  return ['junit.xml', `<testsuite name="${suite}">${cases.join('\n')}</testsuite>`];
}
async function send(file: ResultFile, values: Record<string, string>): Promise<Outcome & { run_id: number }> {
  const { status, body } = await upload(work, [file], values);
  expect([200, 201], JSON.stringify(body)).toContain(status);
  return body.data as Outcome & { run_id: number };
}
const proposalsOf = async (run: number, query = ''): Promise<Row[]> =>
  (await work.as.qa<Many>('GET', `/match-proposals?run_id=${run}${query}&range=[0,99]`)).body.data;
const decide = (id: number, what: string, by: Account = 'qa') =>
  work.as[by]<One>('POST', `/match-proposals/${id}/${what}`);
const testOf = async (id: number) => work.as.qa<One>('GET', `/automated-tests/${id}`);

interface Renamed {
  suite: string;
  branch: string;
  old: string;
  now: string;
  proposal: Row;
  first: number;
  second: number;
}
/** A test that failed and passed under its old name, and passed under a new one. */
async function rename(old = 'pays with a credit card', now = 'pays with credit cards'): Promise<Renamed> {
  const [suite, branch] = [fresh('suite'), fresh('branch')];
  await send(junit(suite, [{ name: old, content: failure }]), { branch });
  const first = await send(junit(suite, [old]), { branch });
  const second = await send(junit(suite, [now]), { branch });
  expect(second.proposals).toBe(1);
  const [proposal] = await proposalsOf(second.run_id);
  return { suite, branch, old, now, proposal: proposal!, first: first.run_id, second: second.run_id };
}
/** What the tests of both names are: all their rows, but for stamps. */
async function stateOf({ proposal }: Renamed): Promise<unknown> {
  const { kysely } = work.program.program.database;
  const ids = [proposal.earlier_id, proposal.test_id] as number[];
  const from = (table: string, column: string) =>
    kysely.withSchema('public').selectFrom(table).selectAll().where(column, 'in', ids).orderBy('id').execute();
  const tests = (await from('automated_tests', 'id')) as Row[];
  const entries = (await from('run_entries', 'automated_test_id')) as Row[];
  const {
    updated_at: _at,
    updated_by: _by,
    ...own
  } = (await kysely
    .withSchema('public')
    .selectFrom('match_proposals')
    .selectAll()
    .where('id', '=', proposal.id)
    .executeTakeFirstOrThrow()) as Row;
  return {
    tests: tests.map(({ updated_at: _when, updated_by: _who, ...row }) => row),
    entries,
    aliases: await from('automated_tests__aliases', 'parent_id'),
    own,
  };
}

describe('proposals', () => {
  test('say both names, how similar they are, and where; each test is in one', async () => {
    const [suite, branch] = [fresh('renamed'), fresh('branch')];
    const before = [
      'pays with a credit card',
      'pays with a debit card',
      'ships abroad',
      { name: 'logs in', suite: `${suite}.old` },
    ];
    await send(junit(suite, before), { branch });
    const after = [
      'pays with credit card',
      'ships abroad',
      'something else',
      { name: 'logs in', suite: `${suite}.new` },
    ];
    const { run_id, proposals } = await send(junit(suite, after), { branch });
    expect(proposals).toBe(2);
    const found = await proposalsOf(run_id, '&sort_by=-similarity');
    expect(found.map(({ earlier_name, name }) => [earlier_name, name])).toEqual(
      expect.arrayContaining([
        ['pays with a credit card', 'pays with credit card'],
        ['logs in', 'logs in'],
      ]),
    );
    for (const { similarity, state } of found) {
      expect(similarity).toBeGreaterThan(80);
      expect(similarity).toBeLessThan(100);
      expect(state).toBe('open');
    }
  });

  test('the first upload of a branch is compared with the run before it', async () => {
    const suite = fresh('suite');
    await send(junit(suite, ['opens the account']), { branch: 'main' });
    const { proposals } = await send(junit(suite, ['opens an account']), { branch: fresh('feature') });
    expect(proposals).toBe(1);
  });

  test('parts of a run: a test that comes with a later part is not missing', async () => {
    const [suite, branch, run_key] = [fresh('suite'), fresh('branch'), fresh('build')];
    await send(junit(suite, ['opens the account', 'closes the account']), { branch });
    const first = await send(junit(suite, ['closes an account']), { branch, run_key, shard: '1' });
    expect(first.proposals).toBe(1);
    await send(junit(suite, ['opens the account', 'closes the account']), { branch, run_key, shard: '2' });
    expect(await proposalsOf(first.run_id)).toMatchObject([{ state: 'withdrawn' }]);
  });

  test('a dry run counts them and stores none; parameters tell tests apart', async () => {
    const [suite, branch] = [fresh('suite'), fresh('branch')];
    await send(junit(suite, ['opens the account[chrome]']), { branch });
    const dry = await send(junit(suite, ['opens an account[chrome]']), { branch, dry_run: '1' });
    expect(dry.proposals).toBe(1);
    const other = await send(junit(suite, ['opens an account[firefox]']), { branch });
    expect(other.proposals).toBe(0);
  });
});

describe('merging', () => {
  test('the earlier test has all results and both names; later uploads under either name are its own', async () => {
    const renamed = await rename();
    const { proposal, suite, branch, old, now } = renamed;
    const { earlier_id, test_id } = proposal;
    const { status, body } = await decide(proposal.id, 'merge');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toEqual({ id: proposal.id, state: 'merged', earlier_id, test_id: null, moved: 1, results: 3 });
    expect((await testOf(test_id)).status).toBe(404);
    const kept = (await testOf(earlier_id)).body.data;
    expect(kept).toMatchObject({ name: now, suite, last_result: 'passed', aliases: [{ name: old }] });
    expect(kept.entries).toHaveLength(3);
    for (const name of [old, now]) {
      const { run_id, proposals } = await send(junit(suite, [name]), { branch });
      expect(proposals).toBe(0);
      expect(await storedTests(work, run_id)).toMatchObject([{ test: { id: earlier_id, name: now } }]);
    }
    const both = await send(junit(suite, [old, { name: now, content: failure }]), { branch });
    const stored = await storedTests(work, both.run_id);
    expect(stored).toMatchObject([
      { test: { id: earlier_id }, attempts: [{ result: 'passed' }, { result: 'failed' }] },
    ]);
    const history = await work.as.qa<Many>('GET', `/automated-tests/${earlier_id}/history`);
    expect(history.status).toBe(200);
    expect(JSON.stringify(history.body)).toContain(old);
  });

  test('undo restores both exactly', async () => {
    const renamed = await rename();
    const { proposal } = renamed;
    await work.as.qa('PUT', `/automated-tests/${proposal.test_id}`, { owner_id: work.ids.qa });
    const before = await stateOf(renamed);
    expect((await decide(proposal.id, 'merge')).status).toBe(200);
    expect(await stateOf(renamed)).not.toEqual(before);
    const { status, body } = await decide(proposal.id, 'undo');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.data).toMatchObject({ state: 'open', test_id: proposal.test_id, moved: 1, results: 2 });
    expect(await stateOf(renamed)).toEqual(before);
    expect((await decide(proposal.id, 'undo')).status).toBe(409);
    expect((await decide(proposal.id, 'merge')).status).toBe(200);
  });

  test('what came since goes to the test whose name it has; what people changed since stays', async () => {
    const { proposal, suite, branch, old, now } = await rename();
    await decide(proposal.id, 'merge');
    const later = [await send(junit(suite, [now]), { branch }), await send(junit(suite, [old]), { branch })];
    await work.as.qa('PUT', `/automated-tests/${proposal.earlier_id}`, { owner_id: work.ids.developer });
    expect((await decide(proposal.id, 'undo')).body.data).toMatchObject({ moved: 2, results: 3 });
    expect((await storedTests(work, later[0]!.run_id))[0]!.test.id).toBe(proposal.test_id);
    expect((await storedTests(work, later[1]!.run_id))[0]!.test.id).toBe(proposal.earlier_id);
    expect((await testOf(proposal.earlier_id)).body.data).toMatchObject({
      name: old,
      owner_id: work.ids.developer,
      aliases: [],
    });
    for (const [name, id] of [
      [old, proposal.earlier_id],
      [now, proposal.test_id],
    ]) {
      const { run_id } = await send(junit(suite, [name as string]), { branch });
      expect((await storedTests(work, run_id))[0]!.test.id).toBe(id);
    }
  });

  test('a chain of names: the latest merge is undone first', async () => {
    const first = await rename();
    const { suite, branch } = first;
    const third = await send(junit(suite, ['pays with all credit cards']), { branch });
    const [next] = await proposalsOf(third.run_id);
    expect(next).toMatchObject({ earlier_id: first.proposal.test_id });
    await decide(first.proposal.id, 'merge');
    const before = await stateOf(first);
    expect((await decide(next!.id, 'merge')).body.data).toMatchObject({
      earlier_id: first.proposal.earlier_id,
      results: 4,
    });
    const { aliases } = (await testOf(first.proposal.earlier_id)).body.data;
    expect(aliases).toMatchObject([{ name: first.old }, { name: first.now }]);
    const refused = await decide(first.proposal.id, 'undo');
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'This test was merged with another one since. Undo that first.',
    ]);
    expect((await decide(next!.id, 'undo')).status).toBe(200);
    expect(await stateOf(first)).toEqual(before);
    expect((await decide(first.proposal.id, 'undo')).status).toBe(200);
    expect(await proposalsOf(third.run_id)).toMatchObject([{ earlier_id: first.proposal.test_id }]);
  });

  test('the test case, the owner and the quarantine of the earlier test stay; what it lacks comes from the new one', async () => {
    const { proposal } = await rename();
    const [one, other] = [
      await work.make('owner', 'test-cases', { name: fresh('Case'), project_id: work.open }),
      await work.make('owner', 'test-cases', { name: fresh('Case'), project_id: work.open }),
    ];
    await work.as.qa('PUT', `/automated-tests/${proposal.earlier_id}`, { test_case_id: one.id });
    const quarantine = { quarantined_until: '2090-01-01', quarantine_reason: 'Slow bank' };
    const own = await work.as.qa('PUT', `/automated-tests/${proposal.test_id}`, {
      test_case_id: other.id,
      owner_id: work.ids.qa,
      ...quarantine,
    });
    expect(own.status, JSON.stringify(own.body)).toBe(200);
    expect((await decide(proposal.id, 'merge')).status).toBe(200);
    expect((await testOf(proposal.earlier_id)).body.data).toMatchObject({
      test_case_id: one.id,
      owner_id: work.ids.qa,
      ...quarantine,
    });
    // A test case that is gone when it is undone is left out.
    expect((await work.as.owner('DELETE', `/test-cases/${other.id}`)).status).toBe(200);
    expect((await decide(proposal.id, 'undo')).status).toBe(200);
    expect((await testOf(proposal.test_id)).body.data).toMatchObject({
      test_case_id: null,
      owner_id: work.ids.qa,
      ...quarantine,
    });
  });

  test('two tests of one run are two', async () => {
    const { proposal, suite, old, now } = await rename();
    const { run_id } = await send(junit(suite, [now]), { branch: fresh('side'), run_key: 'both' });
    // The other name in a run of its own, so that the proposal stays open.
    const { status, body } = await work.program.program.database.kysely
      .withSchema('public')
      .updateTable('run_entries')
      .set({ run_id })
      .where('automated_test_id', '=', proposal.earlier_id)
      .where('result', '=', 'passed')
      .execute()
      .then(() => decide(proposal.id, 'merge'));
    expect([status, body.message]).toEqual([409, expect.stringMatching(/^The run R-\d+ has results of both tests/)]);
    expect((await testOf(proposal.test_id)).body.data.name).toBe(now);
    expect((await testOf(proposal.earlier_id)).body.data.name).toBe(old);
  });
});

describe('keeping apart', () => {
  test('is remembered, and can be undone', async () => {
    const { proposal, suite, branch, old, now } = await rename();
    expect((await decide(proposal.id, 'keep-apart')).body.data).toMatchObject({ state: 'kept_apart', moved: 0 });
    expect((await decide(proposal.id, 'merge')).status).toBe(409);
    await send(junit(suite, [old]), { branch });
    const { proposals } = await send(junit(suite, [now]), { branch });
    expect(proposals).toBe(0);
    expect((await decide(proposal.id, 'undo')).body.data).toMatchObject({ state: 'open', test_id: proposal.test_id });
    expect((await decide(proposal.id, 'merge')).status).toBe(200);
  });

  test('a decision of long ago stays', async () => {
    const { proposal } = await rename();
    await decide(proposal.id, 'merge');
    const { kysely } = work.program.program.database;
    const long = new Date(Date.now() - 31 * 86_400_000).toISOString();
    await kysely
      .withSchema('public')
      .updateTable('match_proposals')
      .set({ decided_at: long })
      .where('id', '=', proposal.id)
      .execute();
    expect((await decide(proposal.id, 'undo')).body.message).toMatch(/more than 30 days/);
  });
});

describe('at the same moment', () => {
  test('two people decide: one of them is told', async () => {
    for (const other of ['merge', 'keep-apart']) {
      const { proposal } = await rename();
      const answers = await Promise.all([decide(proposal.id, 'merge'), decide(proposal.id, other, 'manager')]);
      expect(
        answers.map(({ status }) => status).toSorted((one, two) => one - two),
        other,
      ).toEqual([200, 409]);
    }
  });

  test('uploads under both names while it is merged and undone: every result is of a test, none is lost', async () => {
    const { proposal, suite, branch, old, now } = await rename();
    const uploads = ['1', '2', '3', '4', '5', '6'].map((part) =>
      send(junit(suite, [part > '3' ? old : now]), { branch, run_key: `${suite} ${part}` }),
    );
    const decisions = (async () => {
      for (const what of ['merge', 'undo', 'merge']) expect((await decide(proposal.id, what)).status, what).toBe(200);
    })();
    const outcomes = await Promise.all(uploads);
    await decisions;
    for (const { run_id } of outcomes) {
      expect(await storedTests(work, run_id)).toMatchObject([
        { test: { id: proposal.earlier_id }, attempts: [{ result: 'passed' }] },
      ]);
    }
    const kept = (await testOf(proposal.earlier_id)).body.data;
    expect(kept.entries).toHaveLength(9);
  });

  test.each(['earlier_id', 'test_id'] as const)('a proposal is gone with its %s', async (column) => {
    const { proposal } = await rename();
    expect((await work.as.qa('DELETE', `/automated-tests/${proposal[column]}`)).status).toBe(200);
    expect((await decide(proposal.id, 'merge')).status).toBe(404);
  });
});

describe('access to match proposals', () => {
  test('each role and another company, for every call', async () => {
    const statuses: Record<string, number[]> = {};
    for (const by of ['owner', 'manager', 'developer', 'qa', 'external', 'harbour'] as const) {
      const { proposal, second } = await rename();
      statuses[by] = [];
      for (const what of ['keep-apart', 'undo', 'merge', 'undo'])
        statuses[by].push((await decide(proposal.id, what, by)).status);
      const list = await work.as[by]<Many>('GET', `/match-proposals?run_id=${second}`);
      statuses[by].push(list.status, (await work.as[by]('GET', `/match-proposals/${proposal.id}`)).status);
      if (by === 'harbour') expect(list.body.data).toEqual([]);
    }
    for (const by of ['owner', 'manager', 'developer', 'qa']) expect(statuses[by], by).toEqual(Array(6).fill(200));
    expect(statuses.external).toEqual(Array(6).fill(403));
    expect(statuses.harbour).toEqual([404, 404, 404, 404, 200, 404]);
  });

  test('merging removes a test, so it needs that right too; nothing is written otherwise', async () => {
    const renamed = await rename();
    const { call, grant } = await work.program.restricted();
    const before = await stateOf(renamed);
    const all = [
      'match-proposals.list',
      'match-proposals.view',
      'match-proposals.edit',
      'automated-tests.list',
      'automated-tests.view',
      'automated-tests.edit',
    ];
    await grant(all);
    expect((await call('POST', `/match-proposals/${renamed.proposal.id}/merge`)).status).toBe(403);
    expect(await stateOf(renamed)).toEqual(before);
    await grant([...all, 'automated-tests.delete']);
    expect((await call('POST', `/match-proposals/${renamed.proposal.id}/merge`)).status).toBe(200);
  });

  test('proposals are neither made nor changed by hand', async () => {
    const { proposal } = await rename();
    expect((await work.as.owner('POST', '/match-proposals', { project_id: work.open })).status).toBe(403);
    await work.as.owner('PUT', `/match-proposals/${proposal.id}`, { state: 'merged', similarity: 1 });
    expect((await work.as.qa<One>('GET', `/match-proposals/${proposal.id}`)).body.data).toMatchObject({
      state: 'open',
    });
    expect((await work.as.owner('DELETE', `/match-proposals/${proposal.id}`)).status).toBe(403);
  });
});
