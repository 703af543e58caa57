import { useRef } from 'react';
import type { Person } from '../../engine/comments/comment';
import type { Draft } from './drafts';

const emptyDraft: Draft = { html: '', people: [], files: [] };

/** Two drafts as one, the first before the second. */
function joinDrafts(first: Draft, second: Draft): Draft {
  return {
    html: first.html + second.html,
    people: [...first.people, ...second.people],
    files: [...first.files, ...second.files],
    isInternal: first.isInternal === true || second.isInternal === true,
  };
}

/**
 * The draft of a comment that is being written. A comment on its way belongs to it until it was sent: `onDraft` is called with
 * both.
 */
export function useCommentDraft(initial: Draft | undefined, onDraft: ((draft: Draft) => void) | undefined) {
  const currentDraft = useRef<Draft>(initial ?? emptyDraft);
  const unsentDraft = useRef<Draft>(undefined);
  const tell = () =>
    onDraft?.(unsentDraft.current ? joinDrafts(unsentDraft.current, currentDraft.current) : currentDraft.current);
  return {
    current: () => currentDraft.current,
    tell,
    change: (changes: Partial<Draft>) => {
      currentDraft.current = { ...currentDraft.current, ...changes };
      tell();
    },
    /** Adds somebody who is mentioned; the text that names them follows. */
    addPerson: (person: Person) => {
      const { people } = currentDraft.current;
      currentDraft.current = { ...currentDraft.current, people: [...people, person] };
    },
    /** Begins an empty draft, while this one is on its way. */
    beginSending: (draft: Draft) => {
      unsentDraft.current = draft;
      currentDraft.current = emptyDraft;
    },
    /** Ends the sending; a draft that was not sent returns before what was written meanwhile. */
    endSending: (isSent: boolean) => {
      const draft = unsentDraft.current;
      unsentDraft.current = undefined;
      if (draft && !isSent) currentDraft.current = joinDrafts(draft, currentDraft.current);
    },
  };
}
