import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import type { Editor } from '@tiptap/core';
import { EditorContent, useEditor } from '@tiptap/react';
import { StarterKit } from '@tiptap/starter-kit';
import { useId, useRef, useState, type KeyboardEvent, type SyntheticEvent } from 'react';
import { describeAudience } from '../../engine/access/audience';
import { commentFiles } from '../../engine/comments/comment-files';
import { readsInternal } from '../../engine/comments/internal-comments';
import { formatBytes } from '../../engine/field-types/files';
import { fileKeyOf, filesIn, type FileValue } from '../../engine/field-types/stored-files';
import { useDefinitions } from '../data/DefinitionsContext';
import { UploadLine } from '../fields/files/UploadLine';
import { useUploads } from '../fields/files/useUploads';
import { useFocusAtEnd } from '../fields/richText/returnToText';
import { Toolbar } from '../fields/richText/Toolbar';
import { Icon } from '../icons/Icon';
import { openSnippets } from '../fields/snippets/SnippetButton';
import { uploadPath, type NewCommentInput, type Subject } from './api';
import type { Draft } from './drafts';
import { MentionList, useMentions } from './mentions';
import { useCommentDraft } from './useCommentDraft';
import * as fieldsStyles from '../fields/fields.module.css';
import * as styles from './comments.module.css';

const extensions = [StarterKit.configure({ link: { openOnClick: false, defaultProtocol: 'https' } })];
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
  const [isEmpty, setEmpty] = useState(!initial?.html);
  const [files, setFiles] = useState<readonly FileValue[]>(initial?.files ?? []);
  const [announcement, setAnnouncement] = useState('');
  const [isOver, setOver] = useState(false);
  const draft = useCommentDraft(initial, onDraft);
  const mentions = useMentions({ subject, isInternal, frame, onMention: draft.addPerson });
  const changeFiles = (next: unknown) => {
    const now = filesIn(next);
    setFiles(now);
    draft.change({ ...textOf(editor), files: now, isInternal });
  };
  const { uploads, add, cancel, retry } = useUploads({
    field: commentFiles,
    path: uploadPath(subject),
    value: files,
    onChange: changeFiles,
    onSpoken: setAnnouncement,
  });
  /** Neither words nor a file: nothing to send. */
  const isBare = isEmpty && files.length === 0;
  const isSendable = !isBare && !isBusy && uploads.length === 0;

  const send = async (editor: Editor) => {
    if (!isSendable) return;
    const text = editor.getText();
    const { people } = draft.current();
    const mentionedIds = people.filter(({ name }) => text.includes(`@${name}`)).map((person) => person.id);
    const sentDraft: Draft = { html: editor.getHTML(), people, files, isInternal };
    const result = onSend({
      text: sentDraft.html,
      mentions: [...new Set(mentionedIds)],
      files,
      ...(mayChoose && isInternal && { internal: true }),
    });
    if (!emptiesAtOnce) return void result;
    draft.beginSending(sentDraft);
    setFiles([]);
    editor.commands.clearContent();
    const isSent = await result;
    draft.endSending(isSent);
    if (isSent) return draft.tell();
    setFiles(draft.current().files);
    if (editor.isDestroyed) draft.tell();
    else if (editor.isEmpty) editor.commands.setContent(sentDraft.html);
    else editor.commands.insertContentAt(0, sentDraft.html);
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
      draft.change({ ...textOf(updated), isInternal });
    },
    onSelectionUpdate: ({ editor: textEditor }) => mentions.follow(textEditor, false),
    onTransaction: ({ editor: textEditor, transaction }) => transaction.docChanged && mentions.follow(textEditor, true),
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
    if (mentions.onKey(editor, event)) return true;
    if (event.key !== 'Escape' || !onCancel) return false;
    onCancel();
    return true;
  };
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
      <MentionList id={`${id}-people`} {...{ editor, mentions }} />
      {(files.length > 0 || uploads.length > 0) && (
        <ul className={styles.commentFiles} aria-label="Files">
          {files.map((file) => (
            <AttachedFile
              key={fileKeyOf(file.url)}
              file={file}
              onRemove={() => {
                changeFiles(files.filter((candidate) => candidate !== file));
                setAnnouncement(`${file.name} was removed.`);
                editor.view.focus();
              }}
            />
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
        <AttachButton onFiles={add} />
        {mayChoose && (
          <label className={styles.commentSwitch}>
            <input
              type="checkbox"
              role="switch"
              checked={isInternal}
              onChange={({ target }) => {
                setWantsInternal(target.checked);
                draft.change({ isInternal: target.checked });
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
        <Button variant="contained" size="small" disabled={!isSendable} onClick={() => void send(editor)}>
          {isInternal && mayChoose ? `${sendLabel} internally` : sendLabel}
        </Button>
      </div>
    </div>
  );
}

const textOf = (editor: Editor): Pick<Draft, 'html'> => ({ html: editor.isEmpty ? '' : editor.getHTML() });

function AttachedFile({ file, onRemove }: { file: FileValue; onRemove: () => void }) {
  return (
    <li className={styles.commentFile}>
      <Icon name="paperclip" />
      <span>
        {file.name} <small>{formatBytes(file.size)}</small>
      </span>
      <IconButton size="small" aria-label={`Remove ${file.name}`} title="Remove" onClick={onRemove}>
        <Icon name="x" size={14} />
      </IconButton>
    </li>
  );
}

function AttachButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser}
        type="file"
        multiple
        hidden
        aria-label="Files to attach"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
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
    </>
  );
}
