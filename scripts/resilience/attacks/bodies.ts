import { startLoad } from '../load';
import { pause } from '../server';
import {
  sendRequest,
  sendSlowly,
  formPart,
  formType,
  formWith,
  headOf,
  assertStatus,
  neighbour,
  owner,
  registeredToken,
  sendRaw,
  type Attack,
} from './attack';

const huge = 2.5 * 1024 ** 3;
const mostTaken = 100 * 1024 ** 2;
const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(0x10000, 'x'), Buffer.from('\r\n')]);
const chunked = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const open = ['/sharable-test-case', '/login', '/register', '/forgot-password'];

/** Forms of 2.5 GB, with a declared length and in chunks, two at a time. */
export const hugeForms: Attack = {
  name: 'forms of 2.5 GB',
  async run(target) {
    const { port, context } = target;
    const token = await target.token(owner);
    const sendTwice = async (text: string, statuses: readonly number[], extraChunk?: Buffer) => {
      for (const answer of await Promise.all([sendRaw(port, text, extraChunk), sendRaw(port, text, extraChunk)])) {
        if (answer.sentBytes > mostTaken)
          throw new Error(`${answer.sentBytes / 1e6} MB were taken of ${text.slice(0, 40)}`);
        if (!extraChunk || answer.status !== 0) assertStatus(answer, statuses, text.split('\r\n')[0]!);
      }
    };
    for (const path of open) {
      await sendTwice(headOf('POST', path, formType, { length: huge }) + formPart('a', 'a.bin'), [415]);
      await sendTwice(headOf('POST', path, 'application/json', { length: huge }), [413]);
    }
    for (const path of ['/test-cases', '/users/import', '/tasks/import']) {
      await sendTwice(headOf('POST', path, formType, { token, length: huge }) + formPart('screenshot', 'a.png'), [413]);
    }
    const rounds = context.quick ? 1 : 5;
    for (let round = 0; round < rounds; round++) {
      await sendTwice(
        headOf('POST', '/sharable-test-case', formType) + chunked(formPart('a', 'a.bin')),
        [413, 415],
        chunk,
      );
      for (const start of [formPart('screenshot', 'a.png'), formPart('name'), 'preamble']) {
        await sendTwice(headOf('POST', '/test-cases', formType, { token }) + chunked(start), [413], chunk);
      }
      await sendTwice(
        headOf('POST', '/users/import', formType, { token }) + chunked(formPart('import_file', 'a.csv')),
        [413],
        chunk,
      );
    }
    return 'refused';
  },
};

/** Forms of many small parts, and of many files. */
export const manyParts: Attack = {
  name: 'forms of many parts',
  async run(target) {
    const token = await target.token(owner);
    const rounds = target.context.quick ? 1 : 10;
    for (let round = 0; round < rounds; round++) {
      for (const make of [
        (index: number) => `${formPart(`f${index}`)}1\r\n`,
        (index: number) => `${formPart(`f${index}`, 'a.png')}1\r\n`,
        (index: number) => `${formPart('name')}${'y'.repeat(10)}${index}\r\n`,
      ]) {
        const body = `${Array.from({ length: 20_000 }, (_, index) => make(index)).join('')}--x--\r\n`;
        assertStatus(
          await sendRequest(target, '/test-cases', { method: 'POST', token, type: formType, body }),
          [413, 0],
          'a form of 20,000 parts',
        );
      }
    }
    return 'refused';
  },
};

/** Markup that is expensive to sanitise: too long, and of the maximum length. */
export const richText: Attack = {
  name: 'rich text of nothing but tags',
  async run(target) {
    const token = await target.token(owner);
    const put = (description: string) =>
      sendRequest(target, '/tasks/1', { method: 'PUT', token, body: JSON.stringify({ description }) });
    const rounds = target.context.quick ? 1 : 5;
    for (let round = 0; round < rounds; round++) {
      const answers = await Promise.all([
        put('<a>'.repeat(267_000)),
        put('<a>'.repeat(1_500_000)),
        put('<b>'.repeat(1_500_000)),
      ]);
      for (const answer of answers) assertStatus(answer, [422], 'rich text that is too long');
      const answersAtLimit = await Promise.all(
        ['<a>', '<div><p>', '<', '<a href="<!---->', '<li>'].map((part) => put(part.repeat(99_000 / part.length))),
      );
      for (const answer of answersAtLimit) assertStatus(answer, [200, 422], 'rich text');
    }
    return 'cleaned or refused';
  },
};

/** Unfinished uploads of a whole company, more than there are places: a neighbour's arrives all the same. */
export const unfinishedUploads: Attack = {
  name: 'unfinished uploads',
  async run(target) {
    const people = [owner, 'manager@demo.test', 'developer@demo.test', 'qa@demo.test', 'admin@demo.test'];
    const texts: string[] = [];
    for (const email of people) {
      const token = await target.token(email);
      for (let index = 0; index < 10; index++)
        texts.push(
          headOf('PUT', '/test-cases/1', formType, { token, length: 100_000 }) + formPart('screenshot', 'a.png'),
        );
    }
    const half = sendSlowly(target.port, texts);
    try {
      await pause(1_500);
      const token = await target.token(neighbour);
      const body = formWith('import_file', 'people.csv', 'First Name,Last Name,Email\nAda,Novak,ada@novak.test\n');
      let slowest = 0;
      for (
        const deadline = Date.now() + (target.context.quick ? 1_500 : 12_000);
        Date.now() < deadline;
        await pause(200)
      ) {
        const answer = await sendRequest(target, '/users/import?preview=1', {
          method: 'POST',
          token,
          type: formType,
          body,
        });
        assertStatus(answer, [200], 'the import of a neighbour');
        slowest = Math.max(slowest, answer.milliseconds);
      }
      return `${half.open()} of ${texts.length} open, a neighbour’s import within ${slowest.toFixed(0)} ms`;
    } finally {
      half.close();
    }
  },
};

/** Headers and bodies that come byte by byte. */
export const slowloris: Attack = {
  name: 'slow headers and bodies',
  async run({ port, context }) {
    const heads = Array.from({ length: 400 }, () => 'GET /api/clients HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
    const bodies = Array.from(
      { length: 200 },
      () => `${headOf('POST', '/login', 'application/json', { length: 50_000 })}{"email":"`,
    );
    const [slowHeads, slowBodies] = [sendSlowly(port, heads), sendSlowly(port, bodies)];
    try {
      await pause(context.quick ? 2_000 : 32_000);
      if (!context.quick && slowHeads.open() > 0) throw new Error(`${slowHeads.open()} slow headers were not cut off`);
      return `${heads.length + bodies.length} connections, ${slowHeads.open() + slowBodies.open()} left`;
    } finally {
      slowHeads.close();
      slowBodies.close();
    }
  },
};

/** JSON within JSON, and addresses of nothing but conditions. */
export const deepJson: Attack = {
  name: 'deep JSON and huge queries',
  async run(target) {
    const token = await target.token(owner);
    const post = (path: string, body: string, options = {}) =>
      sendRequest(target, path, { method: 'POST', body, token, ...options });
    const rounds = target.context.quick ? 1 : 10;
    const refusalStatuses = [400, 413, 414, 422, 431];
    for (let round = 0; round < rounds; round++) {
      for (const body of [
        '['.repeat(2_000_000),
        `${'{"a":'.repeat(500_000)}1${'}'.repeat(500_000)}`,
        `{"name":${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}}`,
        `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join(',')}}`,
      ]) {
        assertStatus(await post('/tasks', body), refusalStatuses, 'deep JSON');
        assertStatus(
          await post('/login', body.slice(0, 60_000), { token: undefined }),
          [400, 413, 422],
          'deep JSON of a visitor',
        );
      }
      const queries = [
        `filter=${encodeURIComponent(`{"id":${'['.repeat(4_000)}${']'.repeat(4_000)}}`)}`,
        `filter=${encodeURIComponent(`{"id":[${Array.from({ length: 2_500 }, (_, index) => index).join(',')}]}`)}`,
        `where=${encodeURIComponent(`${'{"$not":'.repeat(1_000)}{}${'}'.repeat(1_000)}`)}`,
        `q=${'a%20'.repeat(3_500)}`,
        `q=${'x'.repeat(300_000)}`,
        `sort_by=${'-id,'.repeat(3_000)}`,
        Array.from({ length: 3_000 }, (_, index) => `a${index}=1`).join('&'),
      ];
      const answers = await Promise.all(queries.map((query) => sendRequest(target, `/tasks?${query}`, { token })));
      for (const answer of answers) assertStatus(answer, [200, ...refusalStatuses, 0], 'a huge query');
    }
    return 'answered or refused';
  },
};

const listOf = (entry: string, count: number) => `[${`${entry},`.repeat(count - 1)}${entry}]`;
const maxBody = 5 * 1024 ** 2 - 100;

/** Bodies of almost 5 MB, each as expensive to read as a body of its kind can be. */
const expensiveBodies: readonly (readonly [what: string, body: string])[] = [
  ['lists in lists', `{"formats":${'['.repeat(2_500_000)}${']'.repeat(2_500_000)}}`],
  ['empty objects', `{"formats":${listOf('{}', 1_700_000)}}`],
  ['names', `{${Array.from({ length: 300_000 }, (_, index) => `"k${index}":1`).join(',')}}`],
  ['long names', `{${Array.from({ length: 990 }, (_, index) => `"${'k'.repeat(5_000)}${index}":1`).join(',')}}`],
  ['texts', `{"formats":${listOf(`"${'x'.repeat(100)}"`, 49_000)}}`],
  ['one text', `{"formats":"${'x'.repeat(maxBody)}"}`],
];

/** In milliseconds and megabytes: what the health check takes meanwhile, and the memory beyond that of before. */
const healthWithin = 1_000;
const memoryAdded = 300;

/** Twenty expensive bodies at once, of somebody who registered a moment ago and of an owner. */
export const parallelBodies: Attack = {
  name: '20 expensive bodies at once',
  async run(target) {
    const { context, server } = target;
    const memoryBefore = server.memory().peak;
    const [newToken, ownerToken] = [await registeredToken(target), await target.token(owner)];
    const health = await startLoad(context, {
      address: server.address,
      paths: ['/health'],
      tokens: [await target.token(neighbour)],
      connections: 1,
      pause: 50,
    });
    const startTime = performance.now();
    let longest = 0;
    for (const [title, body] of context.quick ? expensiveBodies.slice(0, 2) : expensiveBodies) {
      for (const token of [newToken, ownerToken]) {
        const requestTime = performance.now();
        const request = { method: 'PATCH', token, body };
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => sendRequest(target, '/preferences', request)),
        );
        for (const answer of answers) assertStatus(answer, [413, 422, 429, 0], title);
        longest = Math.max(longest, performance.now() - requestTime);
      }
    }
    const { slowest, statuses } = await health.stop();
    if (Object.keys(statuses).join() !== '200') throw new Error(`health answers ${Object.keys(statuses).join()}`);
    if (slowest > healthWithin) throw new Error(`health takes ${slowest} ms meanwhile`);
    const addedMemory = server.memory().peak - memoryBefore;
    if (addedMemory > memoryAdded) throw new Error(`they take ${addedMemory} MB`);
    return `20 refused within ${longest.toFixed(0)} ms, all within ${(performance.now() - startTime).toFixed(0)} ms, health within ${slowest} ms, ${addedMemory} MB`;
  },
};
