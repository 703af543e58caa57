import type { FileValue } from '../../engine/field-types/stored-files';
import type { Person } from '../../engine/comments/comment';
import type { Subject } from './api';

/** A comment that is not sent yet: its markup, the people who were chosen for it, and the files that were uploaded. */
export interface Draft {
  readonly html: string;
  readonly people: readonly Person[];
  readonly files: readonly FileValue[];
  /** It will be internal. */
  readonly isInternal?: boolean;
}

const keyOf = (user: number, { resource, id }: Subject) => `assay.comment.${user}.${resource}.${id}`;

/** Returns the comment that a user has written about a record in this browser and not sent. */
export function readDraft(user: number, subject: Subject): Draft | undefined {
  try {
    const {
      html,
      people,
      files = [],
      isInternal = false,
    } = JSON.parse(localStorage.getItem(keyOf(user, subject)) ?? '{}') as Partial<Draft>;
    if (typeof html !== 'string' || !Array.isArray(people) || !Array.isArray(files)) return undefined;
    return html === '' && files.length === 0 ? undefined : { html, people, files, isInternal };
  } catch {
    return undefined;
  }
}

/** Keeps a draft through a reload; an empty one is forgotten. */
export function storeDraft(user: number, subject: Subject, draft: Draft | undefined): void {
  try {
    if (draft && (draft.html !== '' || draft.files.length > 0))
      localStorage.setItem(keyOf(user, subject), JSON.stringify(draft));
    else localStorage.removeItem(keyOf(user, subject));
  } catch {
    // Without storage the draft is lost with the page.
  }
}
