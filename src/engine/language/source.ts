import type { AutomationSource } from './automation';
import type { FieldSource } from './field';
import type { ValueOf } from './key';
import type { ListSource } from './list';
import type { resource } from './resource';

export type { AutomationSource } from './automation';
export type { AnyFieldSource, FieldSource } from './field';
export type { FormSource } from './form';
export type { ImportSource } from './import';
export type { ListSource } from './list';
export type { PageSource } from './page';
export type { ParameterSource } from './parameter';
export type { RequestSource } from './request';
export type { RuleSource } from './rule';

/**
 * A definition as written in a file; missing keys get their default in `normalise.ts`. `src/engine/language` describes
 * every key.
 */
export type Source = ValueOf<typeof resource>;

export type TransitionSource = NonNullable<FieldSource['transitions']>[number];

export type KanbanSource = NonNullable<ListSource['kanban']>;

/** One step of an automation: exactly one of `notify`, `mail`, `set`, `create` and `webhook`. */
export type AutomationStepSource = AutomationSource['steps'][number];

/** Paths to users, or everybody of some roles or levels. */
export type RecipientsSource = NonNullable<AutomationStepSource['notify']>;
