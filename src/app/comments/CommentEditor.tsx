import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Editor } from '@tiptap/core';
import { EditorContent, useEditor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useEffect, useId, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { describeAudience } from '../../engine/access/audience';
import { commentFiles } from '../../engine/comments/comment-files';
import { readsInternal } from '../../engine/comments/internal-comments';
import { formatBytes } from '../../engine/field-types/files';
import { fileKeyOf, filesIn, type FileValue } from '../../engine/field-types/stored-files';
import { itemAt } from '../../engine/values/lookups';
import { useDefinitions } from '../data/DefinitionsContext';
import { UploadLine } from '../fields/files/UploadLine';
import { useUploads } from '../fields/files/useUploads';
import { useFocusAtEnd } from '../fields/richText/returnToText';
import { Toolbar } from '../fields/richText/Toolbar';
import { Icon } from '../icons/Icon';
import { openSnippets } from '../fields/snippets/SnippetButton';
import { Initials } from '../chips/Initials';
import type { Person } from '../../engine/comments/comment';
import { commentsKey, fetchMentionable, uploadPath, type NewCommentInput, type Subject } from './api';
import type { Draft } from './drafts';
import * as fieldsStyles from '../fields/fields.module.css';
import * as styles from './comments.module.css';

const extensions = [StarterKit.configure({ link: { openOnClick: false, defaultProtocol: 'https' } })];
/** The pattern of a name that is being typed after an @. */
const typedName = /(?:^|\s)@((?:[\p{L}\p{N}][\p{L}\p{N}'’.-]*(?: [\p{L}\p{N}'’.-]*)?)?)$/u;

interface Sought {
  readonly q: string;
  /** The position of the @. */
  readonly start: number;
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
  isBusy: boolean;
  /** Whether the stored comment is internal, which stays so; without it, the writer chooses. */
  isInternal?: boolean;
  /** Closes the editor without sending; without it, it stays open. */
  onCancel?: () => void;
  onDraft?: (draft: Draft) => void;
  /** Empties the editor at once; what was not sent returns to it. Otherwise it keeps its text. */
  emptiesAtOnce?: boolean;
  /** Resolves to whether it was sent. */
  onSend: (comment: NewCommentInput) => Promise<boolean>;
}

/** Writes a comment: Ctrl+Enter sends, @ offers the people who can see the record, by keys alone or with the mouse. */
export function CommentEditor(props: CommentEditorProps) {
  const { subject, label, initial, sendLabel, isBusy, emptiesAtOnce = false, onCancel, onDraft, onSend } = props;
  const id = useId();
  const { actor, registry } = useDefinitions();
  const definition = registry.get(subject.resource);
  const mayChoose = props.isInternal === undefined && definition !== undefined && readsInternal(actor, definition);
  const [wantsInternal, setWantsInternal] = useState(initial?.isInternal ?? false);
  const isInternal = props.isInternal ?? (mayChoose && wantsInternal);
  const frame = useRef<HTMLDivElement>(null);
  const people = useRef<readonly Person[]>(initial?.people ?? []);
  const [mentionQuery, setMentionQuery] = useState<Sought>();
  const [isEmpty, setEmpty] = useState(!initial?.html);
  const [highlightIndex, setHighlightIndex] = useState(0);
  const [files, setFiles] = useState<readonly FileValue[]>(initial?.files ?? []);
  const [announcement, setAnnouncement] = useState('');
  const [isOver, setOver] = useState(false);
  const chooser = useRef<HTMLInputElement>(null);
  // A comment on its way belongs to the draft until it was sent.
  const unsentDraft = useRef<Draft>(undefined);
  const currentDraft = useRef<Draft>(initial ?? emptyDraft);
  const tellDraft = () =>
    onDraft?.(unsentDraft.current ? joinDrafts(unsentDraft.current, currentDraft.current) : currentDraft.current);
  const keepDraft = (text: Editor, now: readonly FileValue[]) => {
    currentDraft.current = { html: text.isEmpty ? '' : text.getHTML(), people: people.current, files: now, isInternal };
    tellDraft();
  };
  const changeFiles = (next: unknown) => {
    const now = filesIn(next);
    setFiles(now);
    keepDraft(editor, now);
  };
  const { uploads, add, cancel, retry } = useUploads({
    field: commentFiles,
    path: uploadPath(subject),
    value: files,
    onChange: changeFiles,
    onSpoken: setAnnouncement,
  });
  const { data: matches = [] } = useQuery({
    queryKey: [commentsKey, subject.resource, subject.id, 'mentionable', mentionQuery?.q, isInternal],
    queryFn: ({ signal }) => fetchMentionable(subject, { q: mentionQuery!.q, isInternal }, signal),
    enabled: mentionQuery !== undefined,
    placeholderData: keepPreviousData,
    retry: false,
    meta: { quiet: true },
  });
  /** Neither words nor a file: nothing to send. */
  const isBare = isEmpty && files.length === 0;
  const offeredPeople = mentionQuery ? matches : [];
  const highlighted = Math.min(highlightIndex, offeredPeople.length - 1);

  const send = async (editor: Editor) => {
    if (isBare || isBusy || uploads.length > 0) return;
    const text = editor.getText();
    const mentionedIds = people.current.filter(({ name }) => text.includes(`@${name}`)).map((person) => person.id);
    const draft: Draft = { html: editor.getHTML(), people: people.current, files, isInternal };
    const result = onSend({
      text: draft.html,
      mentions: [...new Set(mentionedIds)],
      files,
      ...(mayChoose && isInternal && { internal: true }),
    });
    if (!emptiesAtOnce) return void result;
    unsentDraft.current = draft;
    people.current = [];
    setFiles([]);
    currentDraft.current = emptyDraft;
    editor.commands.clearContent();
    const isSent = await result;
    unsentDraft.current = undefined;
    if (isSent) return tellDraft();
    // Before what was written meanwhile.
    currentDraft.current = joinDrafts(draft, currentDraft.current);
    people.current = currentDraft.current.people;
    setFiles(currentDraft.current.files);
    if (editor.isDestroyed) tellDraft();
    else if (editor.isEmpty) editor.commands.setContent(draft.html);
    else editor.commands.insertContentAt(0, draft.html);
  };
  const mention = (editor: Editor, person: Person) => {
    people.current = [...people.current, person];
    editor
      .chain()
      .focus()
      .insertContentAt({ from: mentionQuery!.start, to: editor.state.selection.from }, [
        { type: 'text', text: `@${person.name}`, marks: [{ type: 'bold' }] },
        { type: 'text', text: ' ' },
      ])
      .unsetBold()
      .run();
    setMentionQuery(undefined);
  };
  const editor = useEditor({
    extensions,
    content: initial?.html ?? '',
    injectCSS: false,
    editorProps: {
      attributes: {
        class: `formatted ${fieldsStyles.editorText}`,
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-label': label,
        'aria-autocomplete': 'list',
      },
    },
    onUpdate: ({ editor: updated }) => {
      setEmpty(updated.isEmpty);
      keepDraft(updated, currentDraft.current.files);
    },
    onSelectionUpdate: ({ editor: textEditor }) => setMentionQuery(soughtIn(textEditor, frame.current)),
    onTransaction: ({ editor: textEditor, transaction }) => {
      if (!transaction.docChanged) return;
      setMentionQuery(soughtIn(textEditor, frame.current));
      setHighlightIndex(0);
    },
  });
  useFocusAtEnd(editor, true);
  const takeFiles = (event: SyntheticEvent, { files: droppedFiles }: DataTransfer) => {
    if (droppedFiles.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    add([...droppedFiles]);
  };
  /** Whether the key was for the list of people, or for the editor as a whole. */
  const onKey = (event: KeyboardEvent): boolean => {
    if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') {
      void send(editor);
      return true;
    }
    if (event.key === 'Escape') {
      if (offeredPeople.length > 0) setMentionQuery(undefined);
      else if (onCancel) onCancel();
      else return false;
      return true;
    }
    if (offeredPeople.length === 0) return false;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const step = event.key === 'ArrowDown' ? 1 : offeredPeople.length - 1;
      setHighlightIndex((highlighted + step) % offeredPeople.length);
      return true;
    }
    if (event.key !== 'Enter' && event.key !== 'Tab') return false;
    mention(editor, itemAt(offeredPeople, highlighted));
    return true;
  };
  const listId = `${id}-people`;
  const optionId = (person: Person) => `${listId}-${person.id}`;
  const active = offeredPeople[highlighted];
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
    <div
      className={`${fieldsStyles.editor} ${styles.commentEditor}`}
      ref={frame}
      data-over={isOver || undefined}
      data-internal={isInternal || undefined}
      onKeyDown={openSnippets}
      onPasteCapture={(event) => takeFiles(event, event.clipboardData)}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes('Files')) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDropCapture={(event) => {
        setOver(false);
        takeFiles(event, event.dataTransfer);
      }}
    >
      {isInternal && (
        <p className={styles.commentInternal} role="status">
          <Icon name="lock" size={14} />
          Internal: only {describeAudience(definition?.comments?.internal ?? {}, actor.roles)} read this comment.
        </p>
      )}
      <Toolbar editor={editor} label={label} subject={subject} />
      <EditorContent
        editor={editor}
        className={fieldsStyles.editorBody}
        onKeyDownCapture={(event) => {
          if (!onKey(event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      {offeredPeople.length > 0 && (
        <ul
          className={styles.commentPeople}
          id={listId}
          role="listbox"
          aria-label="People to mention"
          style={{ left: mentionQuery!.left, top: mentionQuery!.top }}
        >
          {offeredPeople.map((person, index) => (
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
      )}
      {(files.length > 0 || uploads.length > 0) && (
        <ul className={styles.commentFiles} aria-label="Files">
          {files.map((file) => (
            <li key={fileKeyOf(file.url)} className={styles.commentFile}>
              <Icon name="paperclip" />
              <span>
                {file.name} <small>{formatBytes(file.size)}</small>
              </span>
              <IconButton
                size="small"
                aria-label={`Remove ${file.name}`}
                title="Remove"
                onClick={() => {
                  changeFiles(files.filter((candidate) => candidate !== file));
                  setAnnouncement(`${file.name} was removed.`);
                  editor.view.focus();
                }}
              >
                <Icon name="x" size={14} />
              </IconButton>
            </li>
          ))}
          {uploads.map((upload) => (
            <UploadLine key={upload.id} upload={upload} onCancel={() => cancel(upload)} onRetry={() => retry(upload)} />
          ))}
        </ul>
      )}
      <span role="status" className="unseen">
        {announcement}
      </span>
      <div className={styles.commentFoot}>
        <input
          ref={chooser}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={(event) => {
            add([...(event.target.files ?? [])]);
            // The same file may be chosen again after it was removed.
            event.target.value = '';
          }}
        />
        <IconButton
          size="small"
          aria-label="Attach files"
          title="Attach files; they can be pasted and dropped, too"
          onClick={() => chooser.current?.click()}
        >
          <Icon name="paperclip" />
        </IconButton>
        {mayChoose && (
          <label className={styles.commentSwitch}>
            <input
              type="checkbox"
              role="switch"
              checked={isInternal}
              onChange={({ target }) => {
                setWantsInternal(target.checked);
                currentDraft.current = { ...currentDraft.current, isInternal: target.checked };
                tellDraft();
              }}
            />
            Internal
          </label>
        )}
        {onCancel ? (
          <Button variant="text" size="small" onClick={onCancel}>
            Cancel
          </Button>
        ) : (
          <span>
            <kbd>@</kbd> mentions, <kbd>Ctrl</kbd> <kbd>↵</kbd> sends
          </span>
        )}
        <Button
          variant="contained"
          size="small"
          disabled={isBare || isBusy || uploads.length > 0}
          onClick={() => void send(editor)}
        >
          {isInternal && mayChoose ? `${sendLabel} internally` : sendLabel}
        </Button>
      </div>
    </div>
  );
}

/** The name that is being typed before the cursor, and where; undefined if there is none. */
function soughtIn(editor: Editor, frame: HTMLElement | null): Sought | undefined {
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

const emptyDraft: Draft = { html: '', people: [], files: [] };

function joinDrafts(first: Draft, second: Draft): Draft {
  return {
    html: first.html + second.html,
    people: [...first.people, ...second.people],
    files: [...first.files, ...second.files],
    isInternal: first.isInternal === true || second.isInternal === true,
  };
}
