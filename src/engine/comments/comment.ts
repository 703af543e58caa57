import type { FileValue } from '../field-types/stored-files';

/** A person who writes comments, or whom they mention. */
export interface Person {
  readonly id: number;
  readonly name: string;
}

/** A comment on a record, as its readers get it from the API. */
export interface Comment {
  readonly id: number;
  /** Sanitized markup. */
  readonly text: string;
  /** Only those who read internal comments get it. */
  readonly internal: boolean;
  readonly user: Person;
  readonly mentions: readonly Person[];
  readonly files: readonly FileValue[];
  readonly created_at: string;
  /** When it was last changed; null if never. */
  readonly edited_at: string | null;
  /** Whether the caller may change it, and remove it. */
  readonly may_edit: boolean;
  readonly may_delete: boolean;
}

/** A text that a comment had before it was changed. */
export interface CommentVersion {
  readonly text: string;
  readonly written_at: string;
}
