import type { AutomationSource } from '../language/automation';
import type { FieldSource } from '../language/field';
import type { ValueOf } from '../language/key';
import type { ListSource } from '../language/list';
import type { resource } from '../language/resource';

export type { AutomationSource } from '../language/automation';
export type { AnyFieldSource, FieldSource } from '../language/field';
export type { FormSource } from '../language/form';
export type { ImportSource } from '../language/import';
export type { ListSource } from '../language/list';
export type { PageSource } from '../language/page';
export type { ParameterSource } from '../language/parameter';
export type { RequestSource } from '../language/request';
export type { RuleSource } from '../language/rule';

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
