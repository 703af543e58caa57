import type { HTMLAttributes } from 'react';
import { RecordChip, ToneChip } from '../../chips/RecordChip';
import type { Definition } from '../../../engine/definitions/definition';
import type { Choice } from './choice';
import { asRecord } from './useChoiceTitles';
import * as styles from './choices.module.css';

interface ChoiceRowProps extends HTMLAttributes<HTMLLIElement> {
  choice: Choice;
  target?: Definition;
  search: string;
  /** Another listed choice has the same title. */
  hasSharedTitle: boolean;
}

/**
 * A listed choice, with the matching letters in bold and the detail that distinguishes it from choices of the same
 * title.
 */
export function ChoiceRow({ choice, target, search, hasSharedTitle, ...row }: ChoiceRowProps) {
  const title = <Highlighted text={choice.title} search={search.trim()} />;
  const tall = target?.chip?.shape === 'avatar' || choice.detail !== undefined || undefined;
  const titleMark = choice.tone ? (
    <ToneChip tone={choice.tone}>{title}</ToneChip>
  ) : (
    <RecordChip definition={target} record={asRecord(target, choice)}>
      {title}
    </RecordChip>
  );
  if (choice.detail === undefined) {
    return (
      <li {...row} data-tall={tall}>
        {titleMark}
      </li>
    );
  }
  const id = `${row.id}-detail`;
  // Named by the title alone if that is unique; the detail is its description.
  const ariaProps = hasSharedTitle ? undefined : { 'aria-label': choice.title, 'aria-describedby': id };
  return (
    <li {...row} {...ariaProps} data-tall={tall}>
      <span className={styles.choiceTold}>
        {titleMark}{' '}
        <span id={id} className={styles.choiceDetail}>
          {choice.detail}
        </span>
      </span>
    </li>
  );
}

function Highlighted({ text, search }: { text: string; search: string }) {
  const start = search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (start < 0) return <>{text}</>;
  const end = start + search.length;
  return (
    <>
      {text.slice(0, start)}
      <b>{text.slice(start, end)}</b>
      {text.slice(end)}
    </>
  );
}
