import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Actor } from '../engine/access/actor';
import type { EvaluationContext } from '../engine/conditions/variables';
import type { Definition, HookEvent, ResourceRecord } from '../engine/definitions/definition';
import type { Registry } from '../engine/definitions/registry';
import type { Source } from '../engine/definitions/source';
import type { Database, Transaction } from './database/database';
import type { DefinitionProblem } from './definitions/definition-problem';
import type { DefinitionSet, Stage } from './definitions/stage';
import type { ShippedTexts } from './definitions/upgrades';
import type { Files } from './files/files';
import type { JobQueue } from './jobs/job';
import type { Health } from './lifecycle/health';
import type { Settings } from './settings/settings';

/** The parts of a running server. The composition root creates one and passes it on. */
export interface Program {
  readonly settings: Settings;
  readonly database: Database;
  readonly definitions: LiveDefinitions;
  readonly live: LiveHub;
  readonly product: Product;
  /** The hooks of the system and of the product, by the names that definitions use. */
  readonly hooks: Hooks;
  readonly files: Files;
  readonly jobs: JobQueue;
  readonly health: Health;
  readonly log: Logger;
}

/** The active definitions. A change replaces the registry as a whole; a request keeps the one it started with. */
export interface LiveDefinitions {
  registry(): Registry;
  /** The definition sources as written, by name. */
  sources(): ReadonlyMap<string, Source>;
  /** Calls `listener` after a change is active. Returns a function that unsubscribes. */
  onChange(listener: (registry: Registry) => void): () => void;
  /** The definitions shipped as files, by name, whether or not a stored one overrides them. */
  shippedSources(): ShippedTexts;
  /** Current errors in definitions. While a definition has errors, its previous version stays active. */
  problems(): readonly DefinitionProblem[];
  /** Runs a change of the stored definitions without saving it. */
  dryRun<T>(run: (stage: Stage) => Promise<T>): Promise<T>;
  /**
   * Changes a stored definition in one transaction, under a lock held across all servers. The returned definition is
   * active on every server once it has committed, together with its grants and rows.
   */
  change(name: string, run: (stage: Stage) => Promise<DefinitionSet | undefined>): Promise<void>;
  /** Resolves when a change that is being committed is active; undefined if there is none. */
  turnover(): Promise<void> | undefined;
  close(): Promise<void>;
}

/** The `resource` of an event that means "anything may have changed": clients reload everything. */
export const anyResource = '*';

/** A change to a record (or, for `modules`, to a definition). */
export interface LiveEvent {
  readonly resource: string;
  /** Null: the event is about the whole resource, because too many records changed to list them. */
  readonly id: number | string | null;
  readonly event: 'created' | 'updated' | 'deleted' | 'archived' | 'restored' | 'changed';
  /** The record's company; null: the installation's. It decides who receives the event and is not sent to clients. */
  readonly site_id?: number | null;
  /** Set for a message to one user: only this user receives it. Not sent to clients. */
  readonly user_id?: number;
  /** Set when a role's permissions changed: only users with this role receive it. Not sent to clients. */
  readonly role_id?: number;
}

/** Publishes events to all listeners, in this process and in others that use the same database. */
export interface LiveHub {
  /** With a transaction: publishes at its commit, or not at all if it is rolled back. */
  publish(event: LiveEvent, trx?: Transaction): void;
  /** Publishes to listeners in this process only. */
  publishLocally(event: LiveEvent): void;
  /** Returns a function that unsubscribes. */
  subscribe(listener: (event: LiveEvent) => void): () => void;
  close(): Promise<void>;
}

/** What a hook receives. It changes `values` by returning the fields that differ. */
export interface HookContext {
  readonly program: Program;
  readonly trx: Transaction;
  readonly actor: Actor;
  readonly definition: Definition;
  readonly event: HookEvent;
  /** The stored row; undefined on create. */
  readonly before?: ResourceRecord;
  /** The values to store, or (after saving) the stored ones. */
  readonly values: ResourceRecord;
  /** `afterRead`: the records of the response, to be modified in place. */
  readonly records: ResourceRecord[];
  /** The request body as sent. */
  readonly input: Readonly<ResourceRecord>;
  /** Fields whose new value is already verified, so nobody needs to confirm it. */
  readonly verifiedFields: ReadonlySet<string>;
  readonly evaluationContext: EvaluationContext;
  /** Refuses with 422 on a field. */
  fail(field: string, message: string): never;
  /** Refuses with 403. */
  forbid(message: string): never;
  /** Refuses with 409. */
  conflict(message: string): never;
}

/**
 * Custom code for what a definition cannot express; definitions refer to it by name. The returned fields are merged
 * into `values`.
 */
export interface Hook {
  (context: HookContext): Promise<void | Partial<ResourceRecord>>;
  /** `afterSave` for many records of one definition at once (at least one), instead of one call per record. */
  runMany?: (contexts: readonly HookContext[]) => Promise<void>;
  /** Whether `afterSave` has nothing to do for a change: then no transaction is started for it. */
  isIdle?: (context: HookContext) => boolean;
}
export type Hooks = Readonly<Record<string, Hook>>;

/**
 * What an application adds to the engine, besides its definitions: everything that may name its resources. The engine
 * knows a product only by this object, which the composition roots pass to it.
 */
export interface Product {
  /** The hooks that its definitions name, beside those of the system. */
  readonly hooks: Hooks;
  /** By resource, the fields that its code uses, which changed definitions must keep. */
  readonly requiredFields: Readonly<Record<string, readonly string[]>>;
  /** By resource, the fields with copies of its author's name and email, which are erased with the person. */
  readonly authorCopies: Readonly<Record<string, { readonly name: string; readonly email: string }>>;
  /** Registers the calls that are not generated from definitions. Paths follow `/api`. */
  registerRoutes(api: FastifyInstance, program: Program): void;
  /** What the response of a sign-in and of `me` says beside the user, role and permissions. */
  loadSignInFacts(program: Program, actor: Actor): Promise<Readonly<Record<string, unknown>>>;
  /** Starts what runs periodically. The returned function stops it and waits for what is running. */
  startSchedules(program: Program): () => Promise<void>;
  readonly demoData?: DemoData;
}

/** Data to try a product with. */
export interface DemoData {
  /** The password of every demo account, which is allowed although it is well known. */
  readonly password: string;
  /** The accounts to offer on the sign-in page; none if there is no demo data. */
  loadAccounts(program: Program): Promise<readonly { email: string; role_name: string; password: string }[]>;
  /** Throws if the settings are those of a production server, and the database contains demo accounts. */
  assertNotInProduction(program: Program): Promise<void>;
  /** Loads the demo data into an empty database. Returns whether it did. */
  load(program: Program): Promise<boolean>;
}
