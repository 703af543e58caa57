import Popover from '@mui/material/Popover';
import { useId, useState, type KeyboardEvent } from 'react';
import type { RaRecord } from 'react-admin';
import type { Definition, Field } from '../../../engine/definitions/definition';
import { isRelation } from '../../../engine/field-types/relation';
import { recordTitle } from '../../../engine/lists/row-actions';
import { isEmpty } from '../../../engine/values/is-empty';
import { itemAt } from '../../../engine/values/lookups';
import type { Choice } from '../../fields/choices/choice';
import { ChoiceRow } from '../../fields/choices/ChoiceRow';
import { emptyText, sharesTitle } from '../../fields/choices/choiceTexts';
import { useChoices } from '../../fields/choices/useChoices';
import { useTypedChoice } from '../../fields/choices/useTypedChoice';
import { FieldInput } from '../../fields/inputs';
import { Icon } from '../../icons/Icon';
import { useCellChoices } from './useCellChoices';
import { useInlineSave, type InlineValue } from './useInlineSave';
import * as styles from './inline.module.css';

export interface CellEditorProps {
  definition: Definition;
  field: Field;
  /** As the list has it. */
  record: RaRecord;
  /** The cell, below which the editor opens. */
  anchor: HTMLElement;
  onClose: () => void;
}

/** Edits a cell of a list: a list of choices, or an input that Enter saves. Escape leaves the value as it is. */
export function CellEditor({ definition, field, record, anchor, onClose }: CellEditorProps) {
  const save = useInlineSave(definition);
  const onSave = (value: InlineValue) => {
    onClose();
    if (value.value !== (record[field.name] ?? null)) void save(record, field, value);
  };
  const label = `${field.label} of ${recordTitle(definition, record)}`;
  return (
    <Popover
      open
      anchorEl={anchor}
      onClose={onClose}
      anchorOrigin={{ vertical: 'bottom', horizontal: 'left' }}
      slotProps={{ paper: { role: 'dialog', 'aria-label': label, className: styles.editor } }}
      // Keys pressed in it are not the grid's.
      onKeyDown={(event) => event.stopPropagation()}
    >
      {isRelation(field) || field.options ? (
        <ChoiceEditor {...{ definition, field, record, onSave }} />
      ) : (
        <ValueEditor {...{ field, record, onSave }} />
      )}
    </Popover>
  );
}

type EditorProps = Pick<CellEditorProps, 'definition' | 'field' | 'record'> & { onSave: (value: InlineValue) => void };

function ChoiceEditor({ definition, field, record, onSave }: EditorProps) {
  const id = useId();
  const source = useCellChoices({ definition, field, record });
  const [text, setText] = useState('');
  const [chosenId, setChosenId] = useState<Choice['id'] | null>();
  const { choices: foundChoices, loading, error } = useChoices(source, text, true);
  const current = record[field.name];
  // Alone, while the choices are on their way, Enter would choose it.
  const isWaiting = loading && foundChoices.length === 0;
  const canClear = !field.required && !field.requiredInForm && !isEmpty(current) && text === '' && !isWaiting;
  const choices: readonly (Choice | null)[] = canClear ? [...foundChoices, null] : foundChoices;
  const idOf = (choice: Choice | null) => choice?.id ?? null;
  const activeIndex = Math.max(
    0,
    choices.findIndex((choice) => idOf(choice) === (chosenId === undefined ? current : chosenId)),
  );
  const save = (choice: Choice | null) => {
    if (choice) source.onChosen?.([choice], [choice]);
    onSave(choice ? { value: choice.id, choice } : { value: null });
  };
  const typedChoice = useTypedChoice({ text, choices: foundChoices, loading, pick: save });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    typedChoice.onKeyDown(event);
    // Nothing follows the box, and what was typed in it stays.
    if (event.key === 'Tab') event.preventDefault();
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const move = moves[event.key];
    if (move && choices.length > 0) {
      event.preventDefault();
      setChosenId(idOf(itemAt(choices, (activeIndex + move + choices.length) % choices.length)));
    } else if (event.key === 'Enter' && choices.length > 0) {
      event.preventDefault();
      // While more is searched for, those that are listed match what was typed.
      save(itemAt(choices, activeIndex));
    }
  };
  return (
    <>
      <input
        autoFocus
        className={styles.editorSearch}
        role="combobox"
        aria-label={field.label}
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={choices.length > 0 ? `${id}-${activeIndex}` : undefined}
        aria-autocomplete="list"
        autoComplete="off"
        placeholder={`Find ${field.label.toLowerCase()}`}
        maxLength={255}
        value={text}
        onChange={(event) => {
          typedChoice.forget();
          setText(event.target.value);
          setChosenId(undefined);
        }}
        onKeyDown={onKeyDown}
      />
      <ul id={`${id}-list`} className={styles.editorList} role="listbox" aria-label={field.label}>
        {choices.map((choice, index) => {
          const row = {
            id: `${id}-${index}`,
            role: 'option',
            'aria-selected': index === activeIndex,
            'data-current': idOf(choice) === current || undefined,
            onMouseMove: () => setChosenId(idOf(choice)),
            onClick: () => save(choice),
          };
          if (choice === null)
            return (
              <li key="none" {...row}>
                <Icon name="close" size={14} /> {field.emptyText ?? `No ${field.label.toLowerCase()}`}
              </li>
            );
          const choiceProps = {
            choice,
            target: source.target,
            search: text,
            hasSharedTitle: sharesTitle(choice, foundChoices),
          };
          return <ChoiceRow key={choice.id} {...choiceProps} {...row} />;
        })}
      </ul>
      <p className={styles.editorNone} role="status">
        {source.blocked ??
          typedChoice.problem ??
          (choices.length > 0 ? '' : loading ? 'Searching…' : emptyText(text, error))}
      </p>
    </>
  );
}

function ValueEditor({ field, record, onSave }: Omit<EditorProps, 'definition'>) {
  const id = useId();
  const [value, setValue] = useState<unknown>(record[field.name]);
  const [problem, setProblem] = useState<string>();
  const isMissing = (field.required || field.requiredInForm) && isEmpty(value);
  return (
    <form
      className={styles.editorForm}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isMissing && problem === undefined) onSave({ value: value ?? null });
      }}
    >
      <label id={`${id}-label`} htmlFor={id} className="unseen">
        {field.label}
      </label>
      <FieldInput
        {...{ id, field, value }}
        autoFocus
        invalid={isMissing || problem !== undefined}
        describedBy={`${id}-hint`}
        onChange={setValue}
        onProblem={setProblem}
        siblingValues={record}
      />
      <p
        id={`${id}-hint`}
        className={styles.editorHint}
        role="status"
        data-wrong={isMissing || problem ? true : undefined}
      >
        {problem ?? (isMissing ? `${field.label} is required.` : 'Enter saves, Esc leaves it as it is.')}
      </p>
      <button type="submit" className="unseen" tabIndex={-1}>
        Save
      </button>
    </form>
  );
}
