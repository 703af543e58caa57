// @module-tag slow
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FastifyInstance } from 'fastify';
import type { Module } from '../../../src/engine/studio/module';
import { product } from '../../fixtures/product';
import { buildApp } from '../../../src/server/http/app';
import { startProgram, type RunningProgram } from '../../../src/server/start-program';
import { sourceOf } from '../../support/definitions';
import { accounts, startFixtureProgram, type DemoProgram } from '../../support/program';

let here: DemoProgram;
let there: RunningProgram;
let elsewhere: FastifyInstance;
beforeAll(async () => {
  here = await startFixtureProgram();
  there = await startProgram(here.program.settings, {
    product,
    log: pino({ level: 'silent' }),
  });
  elsewhere = await buildApp(there.program, { appFolder: 'none' });
});
afterAll(async () => {
  await elsewhere?.close();
  await there?.stop();
  await here?.close();
});

test('what one server publishes is active on the other, without failing requests meanwhile', async () => {
  const admin = await here.signIn(accounts.admin);
  const types = [{ type: 'number', integer: true }, { type: 'number' }, { type: 'text' }] as const;
  const widgets = (turn: number) =>
    sourceOf(
      'widgets',
      { name: { label: `Name ${turn}` }, [`size_${Math.floor(turn / 3)}`]: types[turn % 3]! },
      { scope: 'company' },
    );
  const made = await admin<{ data: Module }>('POST', '/modules', { definition: widgets(0) });
  expect(made).toMatchObject({ status: 201 });
  const { token } = (
    await elsewhere.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: accounts.owner, password: 'Demo@1234' },
    })
  ).json<{ token: string }>();
  const call = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) =>
    elsewhere.inject({
      method,
      url: `/api${url}`,
      headers: { authorization: `Bearer ${token}` },
      ...(payload && { payload }),
    });
  const failures: string[] = [];
  const ask = async (...asked: Parameters<typeof call>) => {
    const answer = await call(...asked);
    if (answer.statusCode >= 400) failures.push(`${asked[0]} ${asked[1]}: ${answer.statusCode} ${answer.body}`);
  };
  const follow = async () => {
    while (!there.program.definitions.registry().get('widgets'))
      await new Promise<void>((resolve) => {
        const stop = there.program.definitions.onChange(() => resolve(stop() as never));
      });
  };
  await follow();
  await ask('POST', '/widgets', { name: 'One', size_0: 1 });

  let { version } = made.body.data;
  for (let turn = 1; turn <= 12; turn++) {
    const published = admin<{ data: Module }>('PUT', '/modules/widgets', { definition: widgets(turn), version });
    const calls = Array.from({ length: 6 }, async () => {
      await ask('GET', '/widgets');
      await ask('GET', '/widgets/1');
      await ask('PUT', '/widgets/1', { name: `Turn ${turn}` });
    });
    await Promise.all(calls);
    const answer = await published;
    expect(answer).toMatchObject({ status: 200 });
    version = answer.body.data.version;
  }
  expect(failures).toEqual([]);
  const last = Object.keys(widgets(12).fields).join();
  const listening = () => Object.keys(there.program.definitions.sources().get('widgets')!.fields).join();
  while (listening() !== last)
    await new Promise<void>((resolve) => there.program.definitions.onChange(() => resolve()));
  expect((await call('GET', '/widgets/1')).json()).toMatchObject({ name: 'Turn 12', size_4: null });
});
