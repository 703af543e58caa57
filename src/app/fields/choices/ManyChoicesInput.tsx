import Autocomplete from '@mui/material/Autocomplete';
import Chip from '@mui/material/Chip';
import { useRef, useState } from 'react';
import { ChipMark } from '../../chips/RecordChip';
import { LockIcon } from '../TextBox';
import type { Choice, ChoiceSource } from './choice';
import { ChoiceBox } from './ChoiceBox';
import type { ChoiceInputProps } from './ChoiceInput';
import { choiceList, ChoicePaperContext } from './choiceList';
import { choicePlaceholder, hasMark, titleWithDetail } from './choiceTexts';
import { choicesPageSize } from './loadChoices';
import { asRecord, useChoiceTitles } from './useChoiceTitles';
import { useChoices } from './useChoices';
import { useTypedChoice } from './useTypedChoice';
import * as styles from './choices.module.css';

/** Selects several of a source's choices, each shown as a removable chip. */
export function ManyChoicesInput({ source, ...props }: ChoiceInputProps) {
  const { id, value, onChange, onProblem, onPending, readOnly, isLocked } = props;
  const box = useRef<HTMLElement>(null);
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const ids = Array.isArray(value) ? (value as Choice['id'][]) : [];
  const titles = useChoiceTitles(source, ids);
  const { choices, loading, error } = useChoices(source, search, open || search !== '');
  const selected = ids.map(titles.choice);
  const change = (newChoices: Choice[]) => {
    setSearch('');
    typedChoice.forget();
    titles.remember(
      newChoices,
      newChoices.filter((choice) => !ids.includes(choice.id)),
    );
    onChange(newChoices.map((choice) => choice.id));
  };
  const unselectedChoices = choices.filter((choice) => !ids.includes(choice.id));
  const pick = (choice: Choice) => change([...selected, choice]);
  const typedChoice = useTypedChoice({
    text: search,
    choices: unselectedChoices,
    loading,
    box,
    pick,
    onProblem,
    onPending,
  });
  return (
    <ChoicePaperContext value={{ heading: source.heading, hasMore: choices.length >= choicesPageSize && !loading }}>
      <Autocomplete
        ref={box}
        multiple
        id={id}
        readOnly={readOnly}
        forcePopupIcon={!readOnly}
        options={choices as Choice[]}
        value={selected}
        inputValue={search}
        onChange={(_, newChoices) => change(newChoices)}
        onInputChange={(_, text, reason) => {
          if (reason !== 'input') return;
          typedChoice.forget();
          setSearch(text);
        }}
        onKeyDown={typedChoice.onKeyDown}
        open={open && !readOnly}
        onOpen={() => setOpen(true)}
        onClose={(_, reason) => {
          setOpen(false);
          if (reason === 'blur' && typedChoice.leave()) return;
          typedChoice.forget();
          setSearch('');
        }}
        disabled={source.blocked !== undefined && !readOnly}
        disableCloseOnSelect
        disableClearable
        {...choiceList({ source, choices, search, loading, error })}
        filterSelectedOptions
        handleHomeEndKeys
        renderValue={(currentChoices, itemProps) =>
          currentChoices.map((choice, index) => {
            const { key, onDelete, ...item } = itemProps({ index });
            return (
              <Chip
                key={key}
                {...item}
                {...(!readOnly && { onDelete })}
                className={`${item.className} ${styles.choiceTag}`}
                icon={<TagMark source={source} choice={choice} />}
                label={choice.title}
                title={choice.detail && titleWithDetail(choice)}
              />
            );
          })
        }
        renderInput={(params) => (
          <ChoiceBox
            {...props}
            invalid={props.invalid || typedChoice.problem !== undefined}
            problem={onProblem ? undefined : typedChoice.problem}
            onInvalid={typedChoice.onInvalid}
            tip={typedChoice.problem}
            params={params}
            placeholder={
              selected.length > 0 || readOnly ? '' : (source.blocked ?? choicePlaceholder(props.field, source))
            }
            end={isLocked ? <LockIcon /> : undefined}
          />
        )}
      />
    </ChoicePaperContext>
  );
}

function TagMark({ source, choice }: { source: ChoiceSource; choice: Choice }) {
  if (!hasMark(source)) return <></>;
  return (
    <span className={styles.choiceTagMark}>
      <ChipMark definition={source.target} record={asRecord(source.target, choice)} />
    </span>
  );
}
