import Button from '@mui/material/Button';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/core';
import { EditorContent, useEditor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { Toolbar } from '../fields/richText/Toolbar';
import { Initials } from '../layout/Initials';
import type { Person } from '../../engine/comments/comment';
import { commentsKey, fetchMentionable, type CommentInput, type Subject } from './api';
import type { Draft } from './drafts';
import * as fieldsStyles from '../fields/fields.module.css';
import * as styles from './comments.module.css';

const extensions = [StarterKit.configure({ link: { openOnClick: false, defaultProtocol: 'https' } })];
/** What a name looks like that is being typed after an @. */
const typedName = /(?:^|\s)@((?:[\p{L}\p{N}][\p{L}\p{N}'’.-]*(?: [\p{L}\p{N}'’.-]*)?)?)$/u;

interface Sought {
  readonly q: string;
  /** The position of the @. */
  readonly from: number;
  /** Where the list opens, within the editor. */
  readonly left: number;
  readonly top: number;
}

interface CommentEditorProps {
  subject: Subject;
  /** Its accessible name. */
  label: string;
  initial: Draft | undefined;
  sendLabel: string;
  busy: boolean;
  /** Closes the editor without sending; without it, it stays open. */
  onCancel?: () => void;
  onDraft?: (draft: Draft) => void;
  /** Resolves to whether it was sent: then the editor is emptied. */
  onSend: (comment: CommentInput) => Promise<boolean>;
}

/** Writes a comment: Ctrl+Enter sends, @ offers the people who can see the record, by keys alone or with the mouse. */
export function CommentEditor(props: CommentEditorProps) {
  const { subject, label, initial, sendLabel, busy, onCancel, onDraft, onSend } = props;
  const id = useId();
  const frame = useRef<HTMLDivElement>(null);
  const people = useRef<readonly Person[]>(initial?.people ?? []);
  const [sought, setSought] = useState<Sought>();
  const [isEmpty, setEmpty] = useState(!initial?.html);
  const [at, setAt] = useState(0);
  const { data: found = [] } = useQuery({
    queryKey: [commentsKey, subject.resource, subject.id, 'mentionable', sought?.q],
    queryFn: ({ signal }) => fetchMentionable(subject, sought!.q, signal),
    enabled: sought !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
  const offered = sought ? found : [];
  const chosen = Math.min(at, offered.length - 1);

  const send = async (editor: Editor) => {
    if (editor.isEmpty || busy) return;
    const text = editor.getText();
    const mentioned = people.current.filter(({ name }) => text.includes(`@${name}`)).map((person) => person.id);
    if (!(await onSend({ text: editor.getHTML(), mentions: [...new Set(mentioned)] }))) return;
    people.current = [];
    editor.commands.clearContent();
    setEmpty(true);
  };
  const mention = (editor: Editor, person: Person) => {
    people.current = [...people.current, person];
    editor
      .chain()
      .focus()
      .insertContentAt({ from: sought!.from, to: editor.state.selection.from }, [
        { type: 'text', text: `@${person.name}`, marks: [{ type: 'bold' }] },
        { type: 'text', text: ' ' },
      ])
      .unsetBold()
      .run();
    setSought(undefined);
  };
  const editor = useEditor({
    extensions,
    content: initial?.html ?? '',
    injectCSS: false,
    autofocus: 'end',
    editorProps: {
      attributes: {
        class: fieldsStyles.editorText ?? '',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-autocomplete': 'list',
      },
    },
    onUpdate: ({ editor: updated }) => {
      setEmpty(updated.isEmpty);
      onDraft?.({ html: updated.isEmpty ? '' : updated.getHTML(), people: people.current });
    },
    onSelectionUpdate: ({ editor: moved }) => setSought(soughtIn(moved, frame.current)),
    onTransaction: ({ editor: changed, transaction }) => {
      if (!transaction.docChanged) return;
      setSought(soughtIn(changed, frame.current));
      setAt(0);
    },
  });
  /** Whether the key was for the list of people, or for the editor as a whole. */
  const onKey = (event: KeyboardEvent): boolean => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
      void send(editor);
      return true;
    }
    if (event.key === 'Escape') {
      if (offered.length > 0) setSought(undefined);
      else if (onCancel) onCancel();
      else return false;
      return true;
    }
    if (offered.length === 0) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : offered.length - 1;
      setAt((chosen + step) % offered.length);
      return true;
    }
    if (event.key !== 'Enter' && event.key !== 'Tab') return false;
    mention(editor, offered[chosen]!);
    return true;
  };
  const listId = `${id}-people`;
  const optionId = (person: Person) => `${listId}-${person.id}`;
  const active = offered[chosen];
  useEffect(() => {
    const { dom } = editor.view;
    if (active) {
      dom.setAttribute('aria-controls', listId);
      dom.setAttribute('aria-activedescendant', optionId(active));
    } else {
      dom.removeAttribute('aria-controls');
      dom.removeAttribute('aria-activedescendant');
    }
  });
  return (
    <div className={`${fieldsStyles.editor} ${styles.commentEditor}`} ref={frame}>
      <Toolbar editor={editor} label={label} />
      <EditorContent
        editor={editor}
        className={fieldsStyles.editorBody}
        onKeyDownCapture={(event) => {
          if (!onKey(event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {offered.length > 0 && (
        <ul
          className={styles.commentPeople}
          id={listId}
          role="listbox"
          aria-label="People to mention"
          style={{ left: sought!.left, top: sought!.top }}
        >
          {offered.map((person, index) => (
            <li
              key={person.id}
              id={optionId(person)}
              role="option"
              aria-selected={index === chosen}
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
      )}
      <div className={styles.commentFoot}>
        {onCancel ? (
          <Button variant="text" size="small" onClick={onCancel}>
            Cancel
          </Button>
        ) : (
          <span>
            <kbd>@</kbd> mentions, <kbd>Ctrl</kbd> <kbd>↵</kbd> sends
          </span>
        )}
        <Button variant="contained" size="small" disabled={isEmpty || busy} onClick={() => void send(editor)}>
          {sendLabel}
        </Button>
      </div>
    </div>
  );
}

/** The name that is being typed before the cursor, and where; undefined if there is none. */
function soughtIn(editor: Editor, frame: HTMLElement | null): Sought | undefined {
  const { empty, $from } = editor.state.selection;
  if (!empty || !frame || $from.parent.type.spec.code) return undefined;
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\u{fffc}');
  const q = typedName.exec(before)?.[1];
  if (q === undefined) return undefined;
  const from = $from.pos - q.length - 1;
  const { left, bottom } = editor.view.coordsAtPos(from);
  const box = frame.getBoundingClientRect();
  return { q, from, left: Math.max(0, Math.min(left - box.left, box.width - 264)), top: bottom - box.top + 4 };
}
