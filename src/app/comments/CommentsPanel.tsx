import Button from '@mui/material/Button';
import { useId, useRef, useState } from 'react';
import type { Definition, ResourceRecord } from '../../engine/definitions/definition';
import { formatNumber } from '../../engine/formats/numbers';
import { requireValue } from '../../engine/values/lookups';
import { useDefinitions } from '../data/DefinitionsContext';
import { typeAhead } from '../commands/typeAhead';
import { Initials } from '../chips/Initials';
import { requestApi } from '../session/api';
import { useApi } from '../session/apiClient';
import { readSession } from '../session/session';
import { FailedState } from '../states/FailedState';
import type { NewCommentInput, Subject } from './api';
import { CommentItem, CommentEditor } from './CommentItem';
import { readDraft, storeDraft } from './drafts';
import { useComments } from './useComments';
import { WatchButton } from './WatchButton';
import * as styles from './comments.module.css';

interface CommentsPanelProps {
  definition: Definition;
  /** The stored record. */
  record: ResourceRecord;
}

/** The comments on a record, beside or below its form, with the box for a new comment first. */
export default function CommentsPanel({ definition, record }: CommentsPanelProps) {
  // A preview shows drafts of definitions, which have no comments yet.
  const isPreview = useApi() !== requestApi;
  return isPreview ? null : <Comments key={String(record.id)} definition={definition} record={record} />;
}

function Comments({ definition, record }: CommentsPanelProps) {
  const { actor } = useDefinitions();
  const headingId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const { subject, query, comments, total, mayWrite, ...actions } = useComments(definition, record, () =>
    heading.current?.focus(),
  );
  const { error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = query;
  return (
    <section className={styles.comments} aria-labelledby={headingId}>
      <div className={styles.commentsHead}>
        <h2 id={headingId} ref={heading} tabIndex={-1}>
          Comments {total !== undefined && total > 0 && <span className="num">{formatNumber(total)}</span>}
        </h2>
        {!actor.viewer && <WatchButton subject={subject} />}
      </div>
      {mayWrite && <NewComment subject={subject} onSend={actions.add} />}
      {error && !comments ? (
        <FailedState title="Comments could not be loaded" message={error.message} onRetry={() => void refetch()} />
      ) : (
        <ul className={styles.commentList} aria-label="Comments, newest first" aria-busy={!comments}>
          {comments?.map((comment) => (
            <CommentItem
              key={comment.id}
              subject={subject}
              comment={comment}
              mayWrite={mayWrite}
              onChange={actions.change}
              onDelete={actions.remove}
            />
          ))}
        </ul>
      )}
      {comments?.length === 0 && <p className={styles.commentNone}>Nobody has commented yet.</p>}
      {hasNextPage && (
        <Button variant="text" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older comments
        </Button>
      )}
    </section>
  );
}

/** The box for a new comment: a line until somebody writes, or has begun to. */
export function NewComment({
  subject,
  onSend,
}: {
  subject: Subject;
  onSend: (input: NewCommentInput) => Promise<boolean>;
}) {
  const { id: self } = useDefinitions().actor;
  const [draft] = useState(() => readDraft(self, subject));
  const [isOpen, setOpen] = useState(draft !== undefined);
  const [isSending, setSending] = useState(false);
  const send = async (input: NewCommentInput) => {
    setSending(true);
    const isSent = await onSend(input);
    setSending(false);
    return isSent;
  };
  return (
    <div className={styles.commentNew}>
      <Initials name={readSession()?.user.name ?? ''} size={28} />
      {isOpen ? (
        <CommentEditor
          subject={subject}
          label="New comment"
          initial={draft}
          sendLabel="Comment"
          isBusy={isSending}
          emptiesAtOnce
          onDraft={(draft) => storeDraft(self, subject, draft)}
          onSend={send}
        />
      ) : (
        <button
          type="button"
          className={styles.commentOpen}
          onClick={({ currentTarget }) => {
            typeAhead(requireValue(currentTarget.parentElement, 'the parent of the button'));
            setOpen(true);
          }}
        >
          Write a comment…
        </button>
      )}
    </div>
  );
}
