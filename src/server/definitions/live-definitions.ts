import { tellChanges } from './tell-changes';
import { randomUUID } from 'node:crypto';
import { basename } from 'node:path';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { createRegistry, type Registry } from '../../engine/definitions/registry';
import type { Database, Transaction } from '../database/database';
import { lockSchema } from '../database/schema-lock';
import { allowLong } from '../database/timeouts';
import { definitionsChanged } from '../live/may-see';
import type { LiveDefinitions, LiveHub } from '../program';
import type { Step } from '../sync/step';
import { buildLater } from '../sync/build-later';
import { agree } from './agree';
import { candidatesOf, nameOf, type Candidate } from './candidates';
import { seedGrants, type RoleLevel } from './default-grants';
import type { DefinitionFault } from './definition-fault';
import { DefinitionsError, describeFault } from './definitions-error';
import { readFolder, watchFolder, type Folder } from './folder';
import { keepGoodTexts, readGoodTexts, type GoodTexts } from './good-texts';
import { followRenames } from './renames';
import { judgeOf } from './settle';
import { readShippedRows, storeShippedRows } from './shipped-rows';
import { createSourceJudge } from './source-judge';
import { Turnover } from './turnover';
import { openStage, type InForce } from './stage';
import { readStored } from './stored-modules';
import { type ShippedTexts, joinedTexts, shippedTexts, storeShipped, waitingUpgrades } from './upgrades';

export interface DefinitionsOptions {
  /** The folder of the files; shipped rows lie in `rows/` below it. */
  readonly folder: string;
  readonly database: Database;
  readonly live: LiveHub;
  readonly log: Logger;
  /** The names of the hooks that are written. */
  readonly hooks: readonly string[];
  /** All roles with their levels, for the grants that a new module brings. */
  readonly roleLevels: (trx: Transaction) => Promise<readonly RoleLevel[]>;
  /** Told within the transaction that gave out grants. */
  readonly granted?: (trx: Transaction) => Promise<void>;
}

/** On which servers on one database tell each other that what is stored of definitions has changed. */
const CHANNEL = 'assay_definitions';
/** Milliseconds after which what could not be read is read again. */
const RETRY = 2_000;
/** A first start makes everything: more steps than anybody reads. */
const told = 30;

/**
 * Brings the definitions into force (tables, shipped rows, grants): what is stored before what lies in the folder, and
 * again whenever a file or, by this server or another, what is stored changes. A text that is wrong, or whose change
 * could lose stored values, is reported and stands back for the next. Throws DefinitionsError at a first start with
 * faults.
 */
export async function openDefinitions(options: DefinitionsOptions): Promise<LiveDefinitions> {
  const { folder, database, live, log } = options;
  const bySchema = createSourceJudge();
  const judge = judgeOf(bySchema, new Set(options.hooks));
  const origin = randomUUID();
  const listeners = new Set<(registry: Registry) => void>();
  const turnover = new Turnover();
  let good: GoodTexts = await readGoodTexts(database.kysely);
  let seen = '';
  let files: Folder = { definitions: [], rows: [] };
  let shipped: ShippedTexts = new Map();
  let refused: ReadonlySet<string> = new Set();
  let inForce: InForce = { registry: createRegistry([], 0), sources: new Map(), texts: [] };
  let faults: readonly DefinitionFault[] = [];
  let busy: Promise<unknown> = Promise.resolve();
  let retry: NodeJS.Timeout | undefined;
  let retryLook: NodeJS.Timeout | undefined;
  let building: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** One thing at a time: files, other servers and changes never mix. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = busy.then(() => turnover.during(task));
    busy = turn.catch(() => undefined);
    return turn;
  }

  /** Brings everything into force anew. Only who read files anew may store what they ship. */
  async function bring(isNew: boolean): Promise<void> {
    const first = good.size === 0;
    const brought = await database.transaction(async (trx) => {
      await lockSchema(trx);
      const stored = isNew ? await followRenames(trx, await readStored(trx), shipped) : await readStored(trx);
      const joined = isNew ? joinedTexts(stored, shipped) : undefined;
      const candidates = candidatesOf(files.definitions, good, stored, joined);
      const agreed = await agree(trx, candidates, judge, inForce.registry.version + 1);
      const rows = readShippedRows(agreed.registry, files.rows, folder);
      const now = [...agreed.settled.faults, ...agreed.faults, ...rows.faults];
      if (first && now.length > 0) throw new DefinitionsError(now);
      await storeRows(trx, agreed.registry, rows.shipped);
      const texts = goodTexts(agreed.settled.inForce);
      await keepGoodTexts(trx, texts);
      const changed = isNew ? await storeShipped(trx, stored, shipped, agreed.settled.inForce) : [];
      if (changed.length > 0) await database.notify(CHANNEL, origin, trx);
      turnover.committing();
      const waiting = isNew ? waitingUpgrades(stored, shipped, agreed.settled.inForce) : [];
      return { ...agreed, now, texts, waiting };
    });
    tellSteps(brought.applied);
    report(brought.now);
    for (const name of brought.waiting) {
      log.warn(`The upgrade of ${name} waits for a decision in the studio: it meets what was changed here.`);
    }
    ({ refused } = brought);
    good = brought.texts;
    faults = brought.now;
    // Once somebody has run the statement by hand, saving the file again is enough.
    if (brought.refused.size > 0) seen = '';
    const { registry, settled } = brought;
    take({ registry, sources: settled.sources, texts: settled.inForce });
    buildInBackground();
  }

  async function storeRows(
    trx: Transaction,
    registry: Registry,
    rows: Parameters<typeof storeShippedRows>[1],
  ): Promise<void> {
    const stored = await storeShippedRows(trx, rows);
    const modules = await seedGrants(trx, registry, options.roleLevels);
    if (modules.length > 0) await options.granted?.(trx);
    for (const name of stored) live.publish({ resource: name, id: 0, event: 'changed' }, trx);
  }

  /** The texts of files that are in force; of a file that something stored is in force instead of, the last one that was. */
  function goodTexts(texts: readonly Candidate[]): GoodTexts {
    const fromFiles = texts.filter(({ from }) => from === 'file' || from === 'good');
    const now = new Map(fromFiles.map(({ file, text }) => [basename(file), text]));
    const known = files.definitions.map(({ file }) => basename(file)).filter((file) => good.has(file));
    return new Map([...known.map((file) => [file, good.get(file)!] as const), ...now]);
  }

  function take(next: InForce, published?: string): void {
    const changed = changedNames(inForce.texts, next.texts);
    const isSame = published !== undefined && !changed.includes(published);
    if (changed.length === 0 && !isSame && inForce.registry.version > 0) return;
    if (inForce.registry.version > 0) tellChanges(log, changed, inForce.sources, next.sources);
    // Another server may have changed the tables: what was prepared for them is of no use any longer.
    database.renew();
    inForce = next;
    for (const listener of listeners) listener(next.registry);
    // Every server does so itself: asked before it has them in force, it would answer the old ones.
    for (const name of changed) live.tell({ resource: definitionsChanged, id: name, event: 'changed' });
    // Another version of the same text is no change to others.
    if (isSame) live.publish({ resource: definitionsChanged, id: published, event: 'changed' });
  }

  /** What nobody has to wait for. Where it fails, the next start or change tries again. */
  function buildInBackground(): void {
    building = building
      .then(async () => {
        if (closed) return;
        for (const text of await buildLater(database, inForce.registry))
          log.info(`${text}: done, with the table in use.`);
      })
      .catch((error: Error) => closed || log.warn(`Indexes are still to be built: ${error.message}`));
  }

  function tellSteps(steps: readonly Step[]): void {
    if (steps.length > told) log.info(`${steps.length} steps brought the tables to the definitions.`);
    else for (const step of steps) log.info(step.text);
  }

  function report(now: readonly DefinitionFault[]): void {
    const before = new Set(faults.map(describeFault));
    const left = new Set(now.map(({ file }) => file));
    const repaired = new Set(faults.map(({ file }) => file).filter((file) => !left.has(file)));
    for (const file of repaired) log.info(`${file} has no mistake any more: what it says is in force.`);
    for (const fault of now) {
      if (!before.has(describeFault(fault))) log.error(`${describeFault(fault)} The last good version stays in force.`);
    }
  }

  async function look(): Promise<void> {
    const found = readFolder(folder);
    const content = JSON.stringify(found);
    if (content === seen) return;
    seen = content;
    files = found;
    shipped = shippedTexts(found.definitions, good, bySchema);
    await bring(true);
  }

  function lookAgain(): void {
    clearTimeout(retryLook);
    inTurn(look).catch((error: Error) => {
      seen = '';
      log.error(`The definitions could not be read again: ${error.message}`);
      // What files say is mended by the next change of a file; what else it was may be over in a moment.
      if (error instanceof DefinitionsError) faults = error.faults;
      else if (!closed) retryLook = setTimeout(lookAgain, RETRY);
    });
  }

  /** What another server stored, or may have. */
  function heard(): void {
    clearTimeout(retry);
    // News that come before the first look say nothing that the look will not see.
    inTurn(async () => (inForce.registry.version > 0 ? bring(false) : undefined)).catch((error: Error) => {
      log.error(`What was changed on another server could not be read: ${error.message}`);
      if (!closed) retry = setTimeout(heard, RETRY);
    });
  }

  const stopHearing = await database.listen(CHANNEL, (payload) => {
    if (payload !== origin) heard();
  });
  await inTurn(look).catch(async (error: unknown) => {
    await stopHearing();
    throw error;
  });
  const stopWatching = watchFolder(folder, log, lookAgain);

  const surroundings = () => ({ files, folder, good, shipped, refused, judge, version: inForce.registry.version });

  return {
    registry: () => inForce.registry,
    sources: () => inForce.sources,
    shipped: () => shipped,
    faults: () => faults,
    turnover: () => turnover.over(),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    preview: (run) =>
      database.transaction(async (trx) => {
        await sql`set transaction read only`.execute(trx);
        await allowLong(trx);
        return run(await openStage(trx, surroundings()));
      }),
    change: (name, run) =>
      inTurn(async () => {
        const next = await database.transaction(async (trx) => {
          await lockSchema(trx);
          const outcome = await run(await openStage(trx, surroundings()));
          if (!outcome) return undefined;
          await storeRows(trx, outcome.registry, readShippedRows(outcome.registry, files.rows, folder).shipped);
          await database.notify(CHANNEL, origin, trx);
          // Values may have become others: what was counted is counted anew.
          live.publish({ resource: name, id: 0, event: 'changed' }, trx);
          turnover.committing();
          return outcome;
        });
        if (!next) return;
        take(next, name);
        buildInBackground();
        // What stood back for what was in force until now may fit again.
        if (faults.length > 0) heard();
      }),
    async close() {
      closed = true;
      stopWatching();
      clearTimeout(retry);
      clearTimeout(retryLook);
      await stopHearing();
      await busy;
    },
  };
}

function changedNames(before: readonly Candidate[], after: readonly Candidate[]): string[] {
  const texts = (candidates: readonly Candidate[]) => new Map(candidates.map(({ file, text }) => [nameOf(file), text]));
  const [old, fresh] = [texts(before), texts(after)];
  return [...new Set([...old.keys(), ...fresh.keys()])].filter((name) => old.get(name) !== fresh.get(name));
}
