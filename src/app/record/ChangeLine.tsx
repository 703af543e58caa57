import { useState } from 'react';
import type { Definition } from '../../engine/definitions/definition';
import {
  describeHistoryValue,
  fieldChangesOf,
  type FieldChange,
  type HistoryEntry,
} from '../../engine/history/field-changes';
import { formatNumber } from '../../engine/formats/numbers';
import { HistoryValues } from '../history/HistoryValues';
import type { IconName } from '../icons/icons';
import { StreamLine } from './StreamLine';
import * as styles from './record.module.css';

/** Values that are short enough for a line. */
const shortText = 60;
/** Changed fields that a line names. */
const mostNamed = 3;

/** A change of the record in one line: by whom, of what, from what to what. The rest of longer texts is shown on request. */
export function ChangeLine({ definition, line }: { definition: Definition; line: HistoryEntry }) {
  const [isOpen, setOpen] = useState(false);
  const changes = fieldChangesOf(definition, line);
  const [firstChange] = changes;
  const shortChange = changes.length === 1 && firstChange && isShortChange(firstChange) ? firstChange : undefined;
  const recordName = definition.labels.one.toLowerCase();
  const words = eventWords(line, recordName);
  return (
    <StreamLine
      icon={icons[line.event] ?? 'pencil'}
      timestamp={line.created_at}
      personName={line.user?.name ?? 'The program'}
    >
      {words ?? (shortChange ? <FromTo change={shortChange} /> : <Names changes={changes} />)}
      {words === undefined && !shortChange && changes.length > 0 && (
        <>
          {' · '}
          <button type="button" className={styles.lineMore} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'hide difference' : 'show difference'}
          </button>
        </>
      )}
      {isOpen && (
        <div className={styles.lineValues}>
          <HistoryValues changes={changes} side="old" />
          <HistoryValues changes={changes} side="new" />
        </div>
      )}
    </StreamLine>
  );
}

const icons: Readonly<Record<string, IconName>> = {
  created: 'plus',
  deleted: 'trash',
  archived: 'archive',
  restored: 'restore',
};

/** Describes an event of the record as a whole; undefined: its values were changed. */
function eventWords({ event, restored_version: version }: HistoryEntry, recordName: string): string | undefined {
  if (version !== undefined) return `restored version ${version}`;
  const words: Readonly<Record<string, string>> = {
    created: `added this ${recordName}`,
    deleted: `deleted this ${recordName}`,
    archived: `archived this ${recordName}`,
    restored: `unarchived this ${recordName}`,
  };
  return words[event];
}

function isShortChange(change: FieldChange): boolean {
  return (['old', 'new'] as const).every((side) => {
    const text = describeHistoryValue(change, side);
    return text.length <= shortText && !text.includes('\n');
  });
}

function FromTo({ change }: { change: FieldChange }) {
  const [oldText, newText] = [describeHistoryValue(change, 'old'), describeHistoryValue(change, 'new')];
  const field = <b>{change.field.label}</b>;
  if (newText === '')
    return (
      <>
        cleared {field}, which was {oldText}
      </>
    );
  return (
    <>
      {oldText === '' ? 'set' : 'changed'} {field}
      {oldText !== '' && ` from ${oldText}`} to <b>{newText}</b>
    </>
  );
}

function Names({ changes }: { changes: readonly FieldChange[] }) {
  const namedChanges = changes.length <= mostNamed + 1 ? changes : changes.slice(0, mostNamed);
  const rest = changes.length - namedChanges.length;
  return (
    <>
      changed{' '}
      {namedChanges.map(({ field }, index) => (
        <span key={field.name}>
          {index > 0 && (rest === 0 && index === namedChanges.length - 1 ? ' and ' : ', ')}
          <b>{field.label}</b>
        </span>
      ))}
      {rest > 0 && ` and ${formatNumber(rest)} more`}
      {changes.length === 0 && 'something that you may not see'}
    </>
  );
}
