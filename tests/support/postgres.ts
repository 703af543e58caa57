import { rmSync } from 'node:fs';
import pg from 'pg';
import pino from 'pino';
import type { TestProject } from 'vitest/node';
import { openDatabase } from '../../src/server/database/database';
import { startEmbedded } from '../../src/server/database/embedded/start-embedded';
import { migrate } from '../../src/server/database/migrate';
import { product as fixture } from '../fixtures/product';
import { startOnDemo } from './demo';
import { createScratchFolder } from './scratch-folder';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The server on which tests create their databases. */
    serverUrl: string;
    /** A migrated, otherwise empty database to copy. */
    template: string;
    /** A database with the tables and shipped rows of `resources`, without accounts. */
    bare: string;
    /** A database with the demo data as well. */
    demo: string;
    /** A database with the demo data of the fixture product, on which the tests of the engine run. */
    fixture: string;
    /** One with its tables and shipped rows, without accounts. */
    fixtureBare: string;
  }
}

const log = pino({ level: 'warn' });

/** One PostgreSQL server for the whole run (or the one at DATABASE_URL), with template databases to copy. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = createScratchFolder('assay-tests-');
  const given = process.env.DATABASE_URL;
  const embedded = given ? undefined : await startEmbedded({ dataDir: folder, log, fast: true });
  const serverUrl = given ?? embedded!.url;
  const names = {
    template: `assay_template_${process.pid}`,
    bare: `assay_bare_${process.pid}`,
    demo: `assay_demo_${process.pid}`,
    fixture: `assay_fixture_${process.pid}`,
    fixtureBare: `assay_fixture_bare_${process.pid}`,
  };
  const urlOf = (name: string) => Object.assign(new URL(serverUrl), { pathname: name }).href;
  await onServer(serverUrl, `create database ${names.template}`);
  const database = openDatabase(urlOf(names.template), log);
  await migrate(database);
  await database.close();
  await onServer(serverUrl, `create database ${names.bare} template ${names.template}`);
  await (await startOnDemo(urlOf(names.bare), { env: { DEMO: '0' } })).stop();
  await onServer(serverUrl, `create database ${names.demo} template ${names.bare}`);
  await (await startOnDemo(urlOf(names.demo))).stop();
  await widenIds(urlOf(names.demo));
  await onServer(serverUrl, `create database ${names.fixtureBare} template ${names.template}`);
  await (await startOnDemo(urlOf(names.fixtureBare), { product: fixture, env: { DEMO: '0' } })).stop();
  await onServer(serverUrl, `create database ${names.fixture} template ${names.fixtureBare}`);
  await (await startOnDemo(urlOf(names.fixture), { product: fixture })).stop();
  await widenIds(urlOf(names.fixture));
  project.provide('serverUrl', serverUrl);
  project.provide('template', names.template);
  project.provide('bare', names.bare);
  project.provide('demo', names.demo);
  project.provide('fixture', names.fixture);
  project.provide('fixtureBare', names.fixtureBare);
  return async () => {
    if (given) for (const name of Object.values(names)) await onServer(serverUrl, `drop database ${name}`);
    await embedded?.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Lets the ids of what tests create begin past 32 bits, so that every call is tested with such. */
const widenIds = (url: string) =>
  onServer(
    url,
    `select setval(c.oid, 5000000000) from pg_class c
      where c.relkind = 'S' and c.relnamespace in ('public'::regnamespace, 'assay'::regnamespace)`,
  );

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
