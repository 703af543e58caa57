import type { HTMLAttributes } from 'react';
import { RecordChip, ToneChip } from '../chips/RecordChip';
import type { Definition } from '../../engine/definitions/definition';
import type { Choice } from './choice';
import { asRecord } from './useChoiceTitles';
import * as styles from './choices.module.css';

interface ChoiceRowProps extends HTMLAttributes<HTMLLIElement> {
  choice: Choice;
  target?: Definition;
  search: string;
  /** Another listed choice has the same title. */
  alike: boolean;
}

/**
 * A listed choice, with the matching letters in bold and the detail that distinguishes it from choices of the same
 * title.
 */
export function ChoiceRow({ choice, target, search, alike, ...row }: ChoiceRowProps) {
  const title = <Highlighted text={choice.title} search={search.trim()} />;
  const tall = target?.chip?.shape === 'avatar' || choice.detail !== undefined || undefined;
  const named = choice.tone ? (
    <ToneChip tone={choice.tone}>{title}</ToneChip>
  ) : (
    <RecordChip definition={target} record={asRecord(target, choice)}>
      {title}
    </RecordChip>
  );
  if (choice.detail === undefined) {
    return (
      <li {...row} data-tall={tall}>
        {named}
      </li>
    );
  }
  const id = `${row.id}-detail`;
  // Named by the title alone if that is unique; the detail is its description.
  const spoken = alike ? undefined : { 'aria-label': choice.title, 'aria-describedby': id };
  return (
    <li {...row} {...spoken} data-tall={tall}>
      <span className={styles.choiceTold}>
        {named}{' '}
        <span id={id} className={styles.choiceDetail}>
          {choice.detail}
        </span>
      </span>
    </li>
  );
}

function Highlighted({ text, search }: { text: string; search: string }) {
  const at = search === '' ? -1 : text.toLowerCase().indexOf(search.toLowerCase());
  if (at < 0) return <>{text}</>;
  const end = at + search.length;
  return (
    <>
      {text.slice(0, at)}
      <b className={styles.choiceFound}>{text.slice(at, end)}</b>
      {text.slice(end)}
    </>
  );
}
