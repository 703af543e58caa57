import Autocomplete from '@mui/material/Autocomplete';
import { useRef, useState } from 'react';
import { ChipMark } from '../../chips/RecordChip';
import type { InputProps } from '../fieldType';
import { LockIcon, TextBox } from '../TextBox';
import type { Choice, ChoiceSource } from './choice';
import { ChoiceBox } from './ChoiceBox';
import { choiceList, ChoicePaperContext } from './choiceList';
import { choicePlaceholder, hasMark, titleWithDetail } from './choiceTexts';
import { choicesPageSize } from './loadChoices';
import { asRecord, useChoiceTitles } from './useChoiceTitles';
import { useChoices } from './useChoices';
import { useTypedChoice } from './useTypedChoice';

export interface ChoiceInputProps extends Omit<InputProps, 'choices'> {
  source: ChoiceSource;
}

/** Selects one of a source's choices, found by typing. */
export function ChoiceInput({ source, ...props }: ChoiceInputProps) {
  const { id, value, onChange, onProblem, onPending, readOnly, isLocked } = props;
  const box = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const [text, setText] = useState<string | null>(null);
  const isSet = value !== undefined && value !== null && value !== '';
  const titles = useChoiceTitles(source, isSet ? [value as Choice['id']] : noIds);
  const { choices, loading, error } = useChoices(source, search, open || search !== '');
  const selected = isSet ? titles.choice(value as Choice['id']) : null;
  const mark = selected && hasMark(source) && (
    <ChipMark definition={source.target} record={asRecord(source.target, selected)} />
  );

  const choose = (choice: Choice | null) => {
    setSearch('');
    setText(null);
    typedChoice.forget();
    if (choice) titles.remember([choice]);
    onChange(choice?.id);
  };
  const pick = (choice: Choice) => {
    choose(choice);
    setOpen(false);
  };
  const typedChoice = useTypedChoice({ text: search, choices, loading, box, pick, onProblem, onPending });
  if (readOnly) return <TextBox {...props} text={selected?.title ?? ''} onText={() => {}} start={mark} />;
  return (
    <ChoicePaperContext value={{ heading: source.heading, hasMore: choices.length >= choicesPageSize && !loading }}>
      <Autocomplete
        ref={box}
        id={id}
        options={choices as Choice[]}
        value={selected}
        inputValue={text ?? selected?.title ?? ''}
        onChange={(_, choice) => choose(choice)}
        onInputChange={(_, text, reason) => {
          if (reason !== 'input') return;
          typedChoice.forget();
          setText(text);
          setSearch(text);
        }}
        onKeyDown={typedChoice.onKeyDown}
        open={open}
        onOpen={() => setOpen(true)}
        onClose={(_, reason) => {
          setOpen(false);
          if (reason === 'blur' && typedChoice.leave()) return;
          typedChoice.forget();
          setSearch('');
          setText(null);
        }}
        disabled={source.blocked !== undefined}
        {...choiceList({ source, choices, search, loading, error })}
        selectOnFocus
        handleHomeEndKeys
        renderInput={(params) => (
          <ChoiceBox
            {...props}
            invalid={props.invalid || typedChoice.problem !== undefined}
            problem={onProblem ? undefined : typedChoice.problem}
            onInvalid={typedChoice.onInvalid}
            params={params}
            placeholder={source.blocked ?? props.placeholder ?? choicePlaceholder(props.field, source)}
            start={open ? undefined : mark}
            tip={typedChoice.problem ?? (selected?.detail && !open ? titleWithDetail(selected) : undefined)}
            chip={open || text !== null || !selected ? undefined : chipOf(source, selected)}
            end={isLocked ? <LockIcon /> : undefined}
          />
        )}
      />
    </ChoicePaperContext>
  );
}

const noIds: readonly Choice['id'][] = [];

/** The chip of the chosen title, if the choices are shown as chips. */
function chipOf(source: ChoiceSource, { id, title, tone }: Choice) {
  const chip = source.target?.chip;
  if (chip?.shape === 'dot') return { title, tone: chip.tones[String(id)] };
  return tone && { title, tone };
}
