import Autocomplete from '@mui/material/Autocomplete';
import Chip from '@mui/material/Chip';
import { useState } from 'react';
import { ChipMark } from '../chips/RecordChip';
import { Lock } from '../fields/TextBox';
import type { Choice, ChoiceSource } from './choice';
import { ChoiceBox } from './ChoiceBox';
import type { ChoiceInputProps } from './ChoiceInput';
import { choiceList } from './choiceList';
import { PaperNotes } from './ChoicePaper';
import { choicePlaceholder, hasMark, wholeTitle } from './choiceTexts';
import { pageOfChoices } from './loadChoices';
import { asRecord, useTitles } from './titles';
import { useChoices } from './useChoices';
import './choices.css';

/** Selects several of a source's choices, each shown as a removable chip. */
export function ManyChoicesInput({ source, ...props }: ChoiceInputProps) {
  const { id, value, onChange, readOnly, locked } = props;
  const [open, setOpen] = useState(false);
  const [search, setSearch] = useState('');
  const ids = Array.isArray(value) ? (value as Choice['id'][]) : [];
  const titles = useTitles(source, ids);
  const { choices, loading, error } = useChoices(source, search, open);
  const selected = ids.map(titles.choice);
  const change = (chosen: Choice[]) => {
    setSearch('');
    titles.remember(
      chosen,
      chosen.filter((choice) => !ids.includes(choice.id)),
    );
    onChange(chosen.map((choice) => choice.id));
  };
  return (
    <PaperNotes value={{ heading: source.heading, more: choices.length >= pageOfChoices && !loading }}>
      <Autocomplete
        multiple
        id={id}
        readOnly={readOnly}
        forcePopupIcon={!readOnly}
        options={choices as Choice[]}
        value={selected}
        inputValue={search}
        onChange={(_, chosen) => change(chosen)}
        onInputChange={(_, typed, reason) => reason === 'input' && setSearch(typed)}
        open={open && !readOnly}
        onOpen={() => setOpen(true)}
        onClose={() => {
          setOpen(false);
          setSearch('');
        }}
        disabled={source.blocked !== undefined && !readOnly}
        disableCloseOnSelect
        disableClearable
        {...choiceList({ source, choices, search, loading, error })}
        filterSelectedOptions
        handleHomeEndKeys
        renderValue={(chosen, itemProps) =>
          chosen.map((choice, index) => {
            const { key, onDelete, ...item } = itemProps({ index });
            return (
              <Chip
                key={key}
                {...item}
                {...(!readOnly && { onDelete })}
                className={`${item.className} choice-tag`}
                icon={<TagMark source={source} choice={choice} />}
                label={choice.title}
                title={choice.detail && wholeTitle(choice)}
              />
            );
          })
        }
        renderInput={(params) => (
          <ChoiceBox
            {...props}
            params={params}
            placeholder={
              selected.length > 0 || readOnly ? '' : (source.blocked ?? choicePlaceholder(props.field, source))
            }
            end={locked ? <Lock /> : undefined}
          />
        )}
      />
    </PaperNotes>
  );
}

function TagMark({ source, choice }: { source: ChoiceSource; choice: Choice }) {
  if (!hasMark(source)) return <></>;
  return (
    <span className="choice-tag-mark">
      <ChipMark definition={source.target} record={asRecord(source.target, choice)} />
    </span>
  );
}
