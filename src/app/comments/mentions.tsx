import { keepPreviousData, skipToken, useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/core';
import { useEffect, useState, type KeyboardEvent, type RefObject } from 'react';
import type { Person } from '../../engine/comments/comment';
import { itemAt } from '../../engine/values/lookups';
import { Initials } from '../chips/Initials';
import { commentsKey, fetchMentionable, type Subject } from './api';
import * as styles from './comments.module.css';

/** The pattern of a name that is being typed after an @. */
const typedName = /(?:^|\s)@((?:[\p{L}\p{N}][\p{L}\p{N}'’.-]*(?: [\p{L}\p{N}'’.-]*)?)?)$/u;

/** A name that is being typed after an @. */
interface MentionQuery {
  readonly q: string;
  /** The position of the @. */
  readonly start: number;
  /** Where the list opens, within the editor. */
  readonly left: number;
  readonly top: number;
}

interface MentionsInput {
  subject: Subject;
  isInternal: boolean;
  /** The element that the list of people is placed in. */
  frame: RefObject<HTMLElement | null>;
  /** Called before the name is inserted. */
  onMention: (person: Person) => void;
}

/** The people whom an @ in an editor offers: those who can see the record, and for an internal comment read these. */
export function useMentions({ subject, isInternal, frame, onMention }: MentionsInput) {
  const [query, setQuery] = useState<MentionQuery>();
  const [highlightIndex, setHighlightIndex] = useState(0);
  const q = query?.q;
  const { data: matches = [] } = useQuery({
    queryKey: [commentsKey, subject.resource, subject.id, 'mentionable', q, isInternal],
    queryFn: q === undefined ? skipToken : ({ signal }) => fetchMentionable(subject, { q, isInternal }, signal),
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
  const people = query ? matches : [];
  const highlighted = Math.min(highlightIndex, people.length - 1);
  const mention = (editor: Editor, person: Person) => {
    if (!query) return;
    onMention(person);
    editor
      .chain()
      .focus()
      .insertContentAt({ from: query.start, to: editor.state.selection.from }, [
        { type: 'text', text: `@${person.name}`, marks: [{ type: 'bold' }] },
        { type: 'text', text: ' ' },
      ])
      .unsetBold()
      .run();
    setQuery(undefined);
  };
  return {
    query,
    people,
    highlighted,
    mention,
    /** Follows the cursor; the highlight begins anew where the text changed. */
    follow: (editor: Editor, isTextChanged: boolean) => {
      setQuery(queryIn(editor, frame.current));
      if (isTextChanged) setHighlightIndex(0);
    },
    /** Whether the key was for the list. */
    onKey: (editor: Editor, { key }: KeyboardEvent): boolean => {
      if (people.length === 0) return false;
      if (key === 'Escape') setQuery(undefined);
      else if (key === 'ArrowDown') setHighlightIndex((highlighted + 1) % people.length);
      else if (key === 'ArrowUp') setHighlightIndex((highlighted + people.length - 1) % people.length);
      else if (key === 'Enter' || key === 'Tab') mention(editor, itemAt(people, highlighted));
      else return false;
      return true;
    },
  };
}

interface MentionListProps {
  id: string;
  editor: Editor;
  mentions: ReturnType<typeof useMentions>;
}

/** The list of people below an @; the editor keeps the focus, and names the highlighted one as its active descendant. */
export function MentionList({ id, editor, mentions: { query, people, highlighted, mention } }: MentionListProps) {
  const optionId = (person: Person) => `${id}-${person.id}`;
  const active = people[highlighted];
  useEffect(() => {
    const { dom } = editor.view;
    if (active) {
      dom.setAttribute('aria-controls', id);
      dom.setAttribute('aria-activedescendant', optionId(active));
    } else {
      dom.removeAttribute('aria-controls');
      dom.removeAttribute('aria-activedescendant');
    }
  });
  if (!query || people.length === 0) return null;
  return (
    <ul
      className={styles.commentPeople}
      id={id}
      role="listbox"
      aria-label="People to mention"
      style={{ left: query.left, top: query.top }}
    >
      {people.map((person, index) => (
        <li
          key={person.id}
          id={optionId(person)}
          role="option"
          aria-selected={index === highlighted}
          onMouseDown={(event) => {
            event.preventDefault();
            mention(editor, person);
          }}
        >
          <Initials name={person.name} />
          {person.name}
        </li>
      ))}
    </ul>
  );
}

/** The name that is being typed before the cursor, and where; undefined if there is none. */
function queryIn(editor: Editor, frame: HTMLElement | null): MentionQuery | undefined {
  const { empty, $from } = editor.state.selection;
  if (!empty || !frame || $from.parent.type.spec.code) return undefined;
  const textBefore = $from.parent.textBetween(0, $from.parentOffset, undefined, '\u{fffc}');
  const q = typedName.exec(textBefore)?.[1];
  if (q === undefined) return undefined;
  const start = $from.pos - q.length - 1;
  const { left, bottom } = editor.view.coordsAtPos(start);
  const box = frame.getBoundingClientRect();
  return { q, start, left: Math.max(0, Math.min(left - box.left, box.width - 264)), top: bottom - box.top + 4 };
}
