import type { Logger } from 'pino';
import type { Actor } from '../engine/access/actor';
import type { Surroundings } from '../engine/conditions/variables';
import type { Definition, HookEvent, ResourceRecord } from '../engine/definitions/definition';
import type { Registry } from '../engine/definitions/registry';
import type { Source } from '../engine/definitions/source';
import type { Database, Transaction } from './database/database';
import type { DefinitionFault } from './definitions/definition-fault';
import type { InForce, Stage } from './definitions/stage';
import type { ShippedTexts } from './definitions/upgrades';
import type { Files } from './files/files';
import type { Jobs } from './jobs/job';
import type { Health } from './lifecycle/health';
import type { Settings } from './settings/settings';

/** Everything that a running server consists of; the composition root makes one and hands it on. */
export interface Program {
  readonly settings: Settings;
  readonly database: Database;
  readonly definitions: LiveDefinitions;
  readonly live: LiveHub;
  readonly hooks: Hooks;
  readonly files: Files;
  readonly jobs: Jobs;
  readonly health: Health;
  readonly log: Logger;
}

/** The definitions in force. A change swaps the registry as a whole; a request keeps the one that it began with. */
export interface LiveDefinitions {
  registry(): Registry;
  /** The definitions as they are written, by name. */
  sources(): ReadonlyMap<string, Source>;
  /** Called after a change is in force; answers how to stop listening. */
  onChange(listener: (registry: Registry) => void): () => void;
  /** What files ship by name, whether or not something stored is in force instead. */
  shipped(): ShippedTexts;
  /** What is wrong with definitions at this moment; what was in force before them stays in force. */
  faults(): readonly DefinitionFault[];
  /** Prepares a change of what is stored, and makes none. */
  preview<T>(run: (stage: Stage) => Promise<T>): Promise<T>;
  /**
   * Changes what is stored of a definition in one transaction, alone among all servers. What is answered is in force
   * everywhere once it has committed, with the grants and rows that it brings.
   */
  change(name: string, run: (stage: Stage) => Promise<InForce | undefined>): Promise<void>;
  /** Resolves once what is being committed at this moment is in force; undefined where nothing is. */
  turnover(): Promise<void> | undefined;
  close(): Promise<void>;
}

/** What an event names as its resource that stands for all: something may have been missed, so read everything again. */
export const everything = '*';

/** Something that happened to a record (or, for `modules`, to a definition). */
export interface LiveEvent {
  readonly resource: string;
  /** Null: of the whole resource, where too many records changed to name each. */
  readonly id: number | string | null;
  readonly event: 'created' | 'updated' | 'deleted' | 'archived' | 'restored' | 'changed';
  /** The record's company; null: the installation's. It decides who may hear of it and is not sent to clients. */
  readonly site_id?: number | null;
  /** Whom alone it concerns, where it is a message to somebody. Not sent to clients either. */
  readonly user_id?: number;
  /** Whose holders alone it concerns, where a role's permissions changed. Not sent to clients either. */
  readonly role_id?: number;
}

/** Passes events on to whoever listens, in this process and in others on the same database. */
export interface LiveHub {
  /** Within a transaction: at its commit, and not at all when it is rolled back. */
  publish(event: LiveEvent, trx?: Transaction): void;
  /** Only to those who listen in this process. */
  tell(event: LiveEvent): void;
  /** Answers how to stop listening. */
  subscribe(listener: (event: LiveEvent) => void): () => void;
  close(): Promise<void>;
}

/** What a hook is given. `values` may be changed by returning the fields that differ. */
export interface HookContext {
  readonly program: Program;
  readonly trx: Transaction;
  readonly actor: Actor;
  readonly definition: Definition;
  readonly event: HookEvent;
  /** The row as it is stored, unless it is being created. */
  readonly before?: ResourceRecord;
  /** What is to be stored, or (after saving) what was. */
  readonly values: ResourceRecord;
  /** `afterRead`: the answers, to be completed in place. */
  readonly records: ResourceRecord[];
  /** The body as it was sent. */
  readonly input: Readonly<ResourceRecord>;
  /** Fields whose new value is proved already, so that nobody has to confirm it any more. */
  readonly proven: ReadonlySet<string>;
  readonly surroundings: Surroundings;
  /** Refuses with 422 on a field. */
  fail(field: string, message: string): never;
  /** Refuses with 403. */
  refuse(message: string): never;
  /** Refuses with 409. */
  conflict(message: string): never;
}

/** What a definition cannot say, named in definitions. What is returned is merged into `values`. */
export interface Hook {
  (context: HookContext): Promise<void | Partial<ResourceRecord>>;
  /** `afterSave` of many records of one definition at once, at least one: instead of one call for each. */
  ofMany?: (contexts: readonly HookContext[]) => Promise<void>;
  /** Whether `afterSave` has nothing to do with a change: then no transaction is begun for it. */
  idle?: (context: HookContext) => boolean;
}
export type Hooks = Readonly<Record<string, Hook>>;
