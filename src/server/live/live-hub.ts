import type { ResourceRecord } from '../../engine/definitions/definition';
import type { Transaction } from '../database/database';

/** The `resource` of an event that means "anything may have changed": clients reload everything. */
export const anyResource = '*';
/** The `resource` of events about changed definitions. */
export const definitionsResource = 'modules';
/** The `resource` of events about drafts of definitions, for those who may change definitions. */
export const draftsResource = 'module-drafts';
/** The `resource` of events about notifications. */
export const notificationsResource = 'notifications';
/** The `resource` of events about changed permissions, for users with the role. */
export const permissionsResource = 'permissions';

/**
 * The `resource` of events about who is at which record: somebody came to a record, changed something there, or went. Its
 * `id` is the place, such as `songs/7`; only who may see that record receives it.
 */
export const presenceResource = 'presence';

/** The `resource` of events about comments: somebody of the company said something about some record. */
export const commentsResource = 'record-comments';

/** The `resource` of events about the timer of a user. */
export const timerResource = 'timer';

/** A change to a record (or, for `modules` and `module-drafts`, to what has this name). */
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
  /**
   * The old values of the record that decided who saw it (`formerAudience`): whoever did, and does not any more, receives
   * that it was deleted. Not sent to clients.
   */
  readonly former?: ResourceRecord;
  /** The resource that an internal comment is about: only who reads its internal comments receives it. Not sent to clients. */
  readonly internal?: string;
  /** The event stream of the window that made the change: it has the answer and receives no event. Not sent to clients. */
  readonly except?: string;
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
