import { useQuery } from '@tanstack/react-query';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { formatInstant } from '../../engine/formats/dates';
import { requireValue } from '../../engine/values/lookups';
import { ToneChip } from '../chips/RecordChip';
import { Icon } from '../icons/Icon';
import { Initials } from '../chips/Initials';
import { relativeTime } from '../layout/relativeTime';
import { RichText } from '../fields/richText/RichText';
import { typeAhead } from '../commands/typeAhead';
import type { Comment } from '../../engine/comments/comment';
import { commentsKey, fetchVersions, type CommentInput, type Subject } from './api';
import { sendingId } from './useComments';
import * as styles from './comments.module.css';
import { lazyComponent } from '../states/lazyComponent';

/** The files of a comment; each opens its preview. */
const CommentFiles = lazyComponent(() =>
  import('../fields/files/FileList').then((module) => ({ default: module.FileList })),
);

/** The editor of comments. It is large, and loaded when somebody begins to write. */
export const CommentEditor = lazyComponent(() =>
  import('./CommentEditor').then((module) => ({ default: module.CommentEditor })),
);

interface CommentItemProps {
  subject: Subject;
  comment: Comment;
  /** Whether the user may write comments on the record at present. */
  mayWrite: boolean;
  onChange: (comment: Comment, input: CommentInput) => Promise<boolean>;
  onDelete: (comment: Comment) => void;
}

/** A comment: who wrote it and when, what was said, and its former texts. It is changed in place. */
export function CommentItem({ subject, comment, mayWrite, onChange, onDelete }: CommentItemProps) {
  const [isEdited, setEdited] = useState(false);
  const [wasEdited, setWasEdited] = useState(false);
  const [isSaving, setSaving] = useState(false);
  const [showsVersions, setShowsVersions] = useState(false);
  const { user, text, created_at, edited_at, mentions, files, internal } = comment;
  const close = () => {
    setEdited(false);
    setWasEdited(true);
  };
  const save = async (input: CommentInput) => {
    setSaving(true);
    const isSaved = await onChange(comment, input);
    setSaving(false);
    if (isSaved) close();
    return false;
  };
  return (
    <li className={styles.comment} data-internal={internal || undefined}>
      <Initials name={user.name} size={28} />
      <article aria-label={`${internal ? 'Internal comment' : 'Comment'} of ${user.name}`}>
        <header>
          <b>{user.name}</b>
          {internal && <ToneChip tone="medium">Internal</ToneChip>}
          <time dateTime={created_at} title={formatInstant(created_at)}>
            {comment.id === sendingId ? 'Sending…' : relativeTime(created_at)}
          </time>
          {edited_at && (
            <button
              type="button"
              className={styles.commentEdited}
              aria-expanded={showsVersions}
              title={`Changed ${formatInstant(edited_at)}`}
              onClick={() => setShowsVersions(!showsVersions)}
            >
              edited
            </button>
          )}
          {mayWrite && !isEdited && (
            <span className={styles.commentTools}>
              {comment.may_edit && (
                <IconButton
                  size="small"
                  aria-label="Edit comment"
                  title="Edit"
                  // The focus returns to where it was before the editor.
                  autoFocus={wasEdited}
                  onClick={({ currentTarget }) => {
                    typeAhead(requireValue(currentTarget.closest('li'), 'the list item of a comment'));
                    setEdited(true);
                  }}
                >
                  <Icon name="pencil" size={14} />
                </IconButton>
              )}
              {comment.may_delete && (
                <IconButton size="small" aria-label="Delete comment" title="Delete" onClick={() => onDelete(comment)}>
                  <Icon name="trash" size={14} />
                </IconButton>
              )}
            </span>
          )}
        </header>
        {isEdited ? (
          <CommentEditor
            subject={subject}
            label="Edit comment"
            initial={{ html: text, people: mentions, files }}
            sendLabel="Save"
            isBusy={isSaving}
            isInternal={internal}
            onCancel={close}
            onSend={save}
          />
        ) : (
          <>
            <RichText html={text} className={styles.commentText} />
            {files.length > 0 && <CommentFiles files={files} />}
          </>
        )}
        {showsVersions && <Versions subject={subject} comment={comment} />}
      </article>
    </li>
  );
}

function Versions({ subject, comment }: { subject: Subject; comment: Comment }) {
  const { data, error } = useQuery({
    queryKey: [commentsKey, subject.resource, subject.id, 'versions', comment.id],
    queryFn: ({ signal }) => fetchVersions(subject, comment.id, signal),
    retry: false,
    meta: { quiet: true },
  });
  if (error) return <p role="alert">The former texts could not be loaded: {error.message}</p>;
  return (
    <ol className={styles.commentVersions} aria-label="Former texts" aria-busy={!data}>
      {data?.map(({ text, written_at }) => (
        <li key={written_at}>
          <time dateTime={written_at}>{formatInstant(written_at)}</time>
          <RichText html={text} className={styles.commentText} />
        </li>
      ))}
    </ol>
  );
}
