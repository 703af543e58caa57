import type { FastifyInstance } from 'fastify';
import type { RawBuilder } from 'kysely';
import type { Logger } from 'pino';
import type { TProperties } from 'typebox';
import type { Actor } from '../engine/access/actor';
import type { EvaluationContext } from '../engine/conditions/variables';
import type { Definition, HookEvent, ResourceRecord } from '../engine/definitions/definition';
import type { AddedFieldType, Cell } from '../engine/field-types';
import type { Database, Transaction } from './database/database';
import type { LiveDefinitions } from './definitions/live-definitions';
import type { Files } from './files/files';
import type { FileScanner } from './files/scanner';
import type { JobQueue } from './jobs/job';
import type { Health } from './lifecycle/health';
import type { LiveHub } from './live/live-hub';
import type { PeriodicWork } from './queue/periodic-work';
import type { Queue } from './queue/queue';
import type { Settings } from './settings/settings';
import type { ThreadSource } from './threads/start-thread';
import { requireValue } from '../engine/values/lookups';

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
  /** Carries automations and webhooks from transactions to workers. */
  readonly queue: Queue;
  readonly health: Health;
  readonly log: Logger;
  /** Tells those who watch records, within the transaction that is about to delete them. */
  readonly tellOfDeletion: DeletionTeller;
}

type DeletionTeller = (actor: Actor, definition: Definition, ids: readonly number[], trx: Transaction) => Promise<void>;

/** The argument of a hook, which changes `values` by returning the fields that differ. */
export interface HookContext {
  readonly program: Program;
  readonly trx: Transaction;
  readonly actor: Actor;
  readonly definition: Definition;
  readonly event: HookEvent;
  /** The stored row; undefined on create. */
  readonly previousRow?: ResourceRecord;
  /** The values to store, or (after saving) the stored ones. */
  readonly values: ResourceRecord;
  /** `afterRead`: the records of the response, to be modified in place. */
  readonly records: ResourceRecord[];
  /** The values that were sent, with files instead of references to them, and without what is read-only for the record. */
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

/** The stored row of a hook that runs for changes and deletions. */
export function previousRowOf({ previousRow, event }: Pick<HookContext, 'previousRow' | 'event'>): ResourceRecord {
  return requireValue(previousRow, `the stored row of ${event}`);
}

/**
 * Custom code for what a definition cannot express; definitions refer to it by name. The returned fields are merged
 * into `values`.
 *
 * @example const closeDay: Hook = async ({ values, fail }) => (values.end ? { closed: true } : fail('end', 'End is required.'));
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
 * The code of an application, beside its definitions: everything that may name its resources. The engine
 * knows a product only by this object, which the composition roots pass to it. `docs/extending.md` builds one.
 *
 * @example
 * export const product: Product = {
 *   name: 'crm',
 *   title: 'Customers',
 *   folder: 'resources',
 *   hooks: { fillOwner: async ({ actor }) => ({ owner_id: actor.id }) },
 *   requiredFields: { deals: ['owner_id'] },
 *   authorCopies: {},
 *   registerRoutes: (api, program) => registerPipeline(api, program),
 * };
 */
export interface Product {
  /** Lower-case letters, digits and `-`. The browser knows by it which product's screens to offer. */
  readonly name: string;
  /** The name that users see. */
  readonly title: string;
  /** The folder of its definitions, besides those of the system; shipped rows are in `rows/` below it. */
  readonly folder: string;
  /** The field types that its definitions use, beside those of the engine. The browser's half is `src/app/fields`. */
  readonly fieldTypes?: Readonly<Record<string, AddedFieldType>>;
  /** The hooks that its definitions name, beside those of the system. */
  readonly hooks: Hooks;
  /**
   * By resource, the fields that its code uses, which changed definitions must keep.
   *
   * @example { deals: ['state', 'amount'] }
   */
  readonly requiredFields: Readonly<Record<string, readonly string[]>>;
  /**
   * By resource, the fields with copies of its author's name and email, which are erased with the person.
   *
   * @example { complaints: { name: 'sender', email: 'sender_email' } }
   */
  readonly authorCopies: Readonly<Record<string, { readonly name: string; readonly email: string }>>;
  /** The thread that reads files for imports, of a product that reads more than spreadsheets: it calls `serveImports`. */
  readonly importThread?: ThreadSource;
  /** By name, the forms that its definitions offer for download besides spreadsheets (`export.formats`). */
  readonly exportFormats?: Readonly<Record<string, RecordFormat>>;
  /** Registers the calls that are not generated from definitions. Paths follow `/api`. */
  registerRoutes(api: FastifyInstance, program: Program): void;
  /** Facts in the response of a sign-in and of `me`, beside the user, role and permissions. */
  readonly signInFacts?: SignInFacts;
  /**
   * The first segments of addresses that its calls and its screens use: no resource, request or download can have one.
   *
   * @example ['pipeline']
   */
  readonly paths?: readonly string[];
  /**
   * Work that one of the servers repeats at intervals.
   *
   * @example (program) => [{ name: 'reminders', every: 900, failure: 'Reminders failed', run: () => sendReminders(program) }]
   */
  periodicWork?(program: Program): readonly PeriodicWork[];
  /**
   * Whether a user `u` with a role `r` can be notified about an event whose `audience` is an expression for the id of a
   * record, or null. Without it, every active user can.
   *
   * @example (deal) => sql<boolean>`r.level < 4 or exists (select from deals d where d.id = ${deal} and d.owner_id = u.id)`
   */
  canBeNotified?(audience: RawBuilder<unknown>): RawBuilder<boolean>;
  /** The occasions on which its code sends mails with `queueOccasionMail`, by the identifiers of their templates. */
  readonly mailOccasions?: Readonly<Record<string, ProductMailOccasion>>;
  /**
   * The kinds of its notifications, for each of which everybody chooses how to be told, by keys. A kind with a key of the
   * system (`mention`, `comment`, `announcement`, `automation`) adds its occasions to that one.
   *
   * @example
   * { won: { label: 'A deal is won', occasions: ['deal_won'], usual: 'mail' }, comment: { label: 'Somebody comments', occasions: ['deal_noted'] } }
   */
  readonly noticeKinds?: Readonly<Record<string, NoticeKind>>;
  readonly demoData?: DemoData;
  /** How a company begins: its first steps, and a sample to try the product with. */
  readonly start?: StartFile;
  /**
   * Looks into each received file before it is stored and anybody can see it, after the scanner of the settings. Returns
   * why it is refused; undefined if it is not. If it throws, the file is refused for now (503).
   *
   * @example
   * scanFile: async ({ name }) => (name.endsWith('.exe') ? 'programs are not stored here' : undefined)
   */
  readonly scanFile?: FileScanner;
}

/** The code of a product in a folder (`index.ts`, as `product`); the rest is in the JSON files beside it. */
export type ProductCode = Partial<Omit<Product, 'name' | 'title' | 'folder'>>;

/**
 * A form in which records leave the program, besides spreadsheets: such as what another program imports.
 *
 * @example
 * const names: RecordFormat = {
 *   columns: ['name'], extension: 'txt', mediaType: 'text/plain; charset=utf-8',
 *   open: () => ({ write: (records) => records.map(([[name]]) => `${name}\n`).join(''), end: () => '' }),
 * };
 */
export interface RecordFormat {
  /** The columns of a file: fields, and columns of rows (`lines.action`). Values that the reader may not see are empty. */
  readonly columns: readonly string[];
  readonly extension: string;
  readonly mediaType: string;
  /** Starts a file. */
  open(): RecordWriter;
}

/** Writes a file part by part. A record is its lines of cells, of which those below the first have only columns of rows. */
export interface RecordWriter {
  write(records: readonly (readonly (readonly Cell[])[])[]): string;
  end(): string;
}

/**
 * A kind of mail that a product sends to active users. Its text is the row of `email-templates` with its identifier.
 *
 * @example
 * mailOccasions: { deal_won: { path: '/deals', own: true } }
 */
export interface ProductMailOccasion {
  /** The application path of the mail's link, unless the mail has one of its own. */
  readonly path: string;
  /** A company can have its own text, for users with a confirmed address. */
  readonly own?: boolean;
  /** The limit of mails per hour and mailbox; default: 5. */
  readonly hourly?: number;
}

/**
 * A kind of notification, for which everybody chooses how to be told.
 *
 * @example const won: NoticeKind = { label: 'A deal is won', occasions: ['deal_won'] };
 */
export interface NoticeKind {
  readonly label: string;
  /** When it is sent, as a sentence. */
  readonly description?: string;
  /** The identifiers of its templates. */
  readonly occasions: readonly string[];
  /** How those are told who chose nothing; default: in the program. */
  readonly defaultChannel?: 'notice' | 'mail';
}

/**
 * The product's facts about a user who signs in. Definitions can compare with them: `"$actor.totalDeals"`.
 *
 * @example
 * const facts: SignInFacts = {
 *   schema: { totalDeals: Type.Integer() },
 *   load: async (program, actor) => ({ totalDeals: await countDeals(program, actor) }),
 * };
 */
export interface SignInFacts {
  /** The facts in the API document. */
  readonly schema: TProperties;
  load(program: Program, actor: Actor): Promise<Readonly<Record<string, unknown>>>;
}

/** How a company begins: `schemas/start.schema.json`, the file `start.json` of a product that consists of JSON alone. */
export interface StartFile {
  /** The kinds of records that a company begins with, in this order. */
  readonly steps: readonly StartStep[];
  readonly sample?: StartSample;
}

/** A step is done when there is a record of its resource. */
interface StartStep {
  readonly resource: string;
  /** The purpose of the records, in one sentence. */
  readonly text?: string;
}

/** Records to look around in, removed again in one step. */
export interface StartSample {
  /** Of the button: `Create a sample project`. */
  readonly label: string;
  /** Describes the created records, in one sentence. */
  readonly text: string;
  readonly records: readonly { readonly resource: string; readonly rows: readonly ResourceRecord[] }[];
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
