import Button from '@mui/material/Button';
import { useRef, useState } from 'react';
import type { Definition, ResourceRecord, StreamSource } from '../../engine/definitions/definition';
import { formatNumber } from '../../engine/formats/numbers';
import { useDefinitions } from '../data/DefinitionsContext';
import { useCommands } from '../commands/commands';
import { CommentItem } from '../comments/CommentItem';
import { NewComment } from '../comments/CommentsPanel';
import { WatchButton } from '../comments/WatchButton';
import { useComments } from '../comments/useComments';
import { FailedState } from '../states/FailedState';
import { ChangeLine } from './ChangeLine';
import { RecordLine } from './RecordLine';
import { useStream } from './useStream';
import * as commentsStyles from '../comments/comments.module.css';
import * as styles from './record.module.css';

interface RecordStreamProps {
  definition: Definition;
  record: ResourceRecord;
  sources: readonly StreamSource[];
}

/** Comments, changes and what else the page tells of, newest first, with the box for a new comment before them. `c` comments. */
export function RecordStream({ definition, record, sources }: RecordStreamProps) {
  const { actor } = useDefinitions();
  const heading = useRef<HTMLHeadingElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const comments = useComments(definition, record, () => heading.current?.focus());
  const [kind, setKind] = useState<string>();
  const stream = useStream({ definition, record, sources, comments, shownLabel: kind });
  const { kinds, entries, error } = stream;
  const write = () => {
    const target = box.current?.querySelector<HTMLElement>('[contenteditable], textarea, button');
    box.current?.scrollIntoView?.({ block: 'nearest' });
    if (target instanceof HTMLButtonElement) target.click();
    else target?.focus();
  };
  useCommands(
    () => [{ id: 'comment', label: 'Write a comment', icon: 'message', keys: 'c', run: write }],
    comments.mayWrite,
  );
  return (
    <section className={styles.stream} aria-labelledby="record-stream">
      <div className={styles.streamHead}>
        <h3 id="record-stream" ref={heading} tabIndex={-1} className="unseen">
          Activity
        </h3>
        {kinds.length > 1 && (
          <div className={styles.streamOnly} role="group" aria-label="Show">
            <button type="button" aria-pressed={kind === undefined} onClick={() => setKind(undefined)}>
              All
            </button>
            {kinds.map(({ label, total }) => (
              <button key={label} type="button" aria-pressed={kind === label} onClick={() => setKind(label)}>
                {label}
                {total !== undefined && <span className="num"> {formatNumber(total)}</span>}
              </button>
            ))}
          </div>
        )}
        {definition.comments && !actor.viewer && <WatchButton subject={comments.subject} />}
      </div>
      {comments.mayWrite && (
        <div ref={box}>
          <NewComment subject={comments.subject} onSend={comments.add} />
        </div>
      )}
      {error ? (
        <FailedState title="The activity could not be loaded" message={error.message} onRetry={stream.retry} />
      ) : (
        <ul className={styles.streamList} aria-label="Activity, newest first" aria-busy={!entries}>
          {entries?.map((entry) => {
            if (entry.kind === 'change') return <ChangeLine key={entry.key} {...{ definition, line: entry.line }} />;
            if (entry.kind === 'record')
              return <RecordLine key={entry.key} source={entry.source} record={entry.record} />;
            return (
              <CommentItem
                key={entry.key}
                subject={comments.subject}
                comment={entry.comment}
                mayWrite={comments.mayWrite}
                onChange={comments.change}
                onDelete={comments.remove}
              />
            );
          })}
        </ul>
      )}
      {entries?.length === 0 && !stream.more && <p className={commentsStyles.commentNone}>Nothing yet.</p>}
      {stream.more && (
        <Button variant="text" disabled={stream.isLoading} onClick={stream.more}>
          Show older
        </Button>
      )}
    </section>
  );
}
