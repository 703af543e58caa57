import Button from '@mui/material/Button';
import { useRef, useState } from 'react';
import type { Definition, ResourceRecord, StreamSource } from '../../engine/definitions/definition';
import { formatTotal } from '../../engine/formats/numbers';
import { useDefinitions } from '../data/DefinitionsContext';
import { useCommands } from '../commands/commands';
import { CommentItem } from '../comments/CommentItem';
import { NewComment } from '../comments/CommentsPanel';
import { WatchButton } from '../comments/WatchButton';
import { useComments } from '../comments/useComments';
import { FailedState } from '../states/FailedState';
import { ChangeLine } from './ChangeLine';
import { useStream } from './useStream';
import * as commentsStyles from '../comments/comments.module.css';
import * as styles from './record.module.css';
import type { RaRecord } from 'react-admin';
import { Link } from 'react-router-dom';
import { isGranted } from '../../engine/access/access-decision';
import { pagePath, recordPath } from '../../engine/lists/row-actions';
import { isRelation } from '../../engine/field-types/relation';
import { RecordChip } from '../chips/RecordChip';
import { embedsOf, recordTitleOf } from '../chips/titleOf';
import { PageValue } from '../fields/pages';
import { StreamLine } from './StreamLine';

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
                {total !== undefined && <span className="num"> {formatTotal(total)}</span>}
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

/** A record of another resource in one line: who did what, in the words of the definition. */
function RecordLine({ source, record }: { source: StreamSource; record: RaRecord }) {
  const { registry } = useDefinitions();
  const definition = registry.getOrThrow(source.resource);
  const personField = source.person === undefined ? undefined : definition.fields[source.person];
  const [person] = personField ? embedsOf(personField, record) : [];
  const personName = personField && person && recordTitleOf(registry.get(personField.to), person);
  const parts = source.text.split(/\{([A-Za-z_]\w*)\}/);
  return (
    <StreamLine icon="activity" timestamp={String(record[source.time])} personName={personName}>
      {parts.map((part, index) =>
        index % 2 === 0 ? part : <Named key={index} name={part} {...{ definition, record }} />,
      )}
    </StreamLine>
  );
}

/** A field in the text; a related record as a link. */
function Named({ name, definition, record }: { name: string; definition: Definition; record: RaRecord }) {
  const { registry, actor } = useDefinitions();
  const field = definition.fields[name];
  if (!field) return null;
  const [embed] = isRelation(field) ? embedsOf(field, record) : [];
  const target = registry.get(field.to);
  if (embed && target && isGranted(actor, target.name, 'view'))
    return (
      <Link className={styles.lineLink} to={target.page ? pagePath(target.name, embed.id) : recordPath(target, embed)}>
        <RecordChip definition={target} record={embed} />
      </Link>
    );
  return (
    <span className={styles.lineValue}>
      <PageValue {...{ field, record, definition, registry }} value={record[name]} />
    </span>
  );
}
