import Button from '@mui/material/Button';
import { useState } from 'react';
import { tones } from '../../../engine/definitions/definition';
import { Icon } from '../../icons/Icon';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { ListProperty } from '../properties/ListProperty';
import { PartForm } from '../properties/PartForm';
import { PlaceErrors } from '../properties/PlaceErrors';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';

const highlightPointer = '/list/highlight';
const toneOptions = tones.map((tone) => ({ value: tone, label: tone }));
const add = 'Add others that stand out';
const emptyHighlight = { tone: 'high', label: 'Attention' };

/** The rows that stand out: which, in what colour, and the words that say so besides the colour. */
export function Highlight() {
  const { value, set, hint } = useDraftValue(highlightPointer);
  // Its condition begins with a row to fill in: an empty one would highlight every row.
  const [isNew, setIsNew] = useState(false);
  const isList = Array.isArray(value);
  return (
    <>
      <SwitchRow
        label="Some rows stand out"
        isOn={value !== undefined}
        hint={hint}
        onChange={(isOn) => {
          setIsNew(isOn);
          set(isOn ? emptyHighlight : undefined);
        }}
      />
      {value !== undefined && <PlaceErrors pointer={highlightPointer} />}
      {value !== undefined && !isList && (
        <>
          <Mark pointer={highlightPointer} begin={isNew} />
          <Button
            size="small"
            variant="outlined"
            startIcon={<Icon name="plus" />}
            onClick={() => {
              setIsNew(true);
              set([value, emptyHighlight]);
            }}
          >
            {add}
          </Button>
        </>
      )}
      {isList && (
        <ListProperty
          pointer={highlightPointer}
          label="Rows that stand out, the first that matches"
          add={add}
          createEntry={() => {
            setIsNew(true);
            return emptyHighlight;
          }}
          titleOf={({ label }) => String(label ?? '')}
          noteOf={({ tone }) => String(tone ?? '')}
        >
          {(entryPointer) => <Mark pointer={entryPointer} begin={isNew} />}
        </ListProperty>
      )}
    </>
  );
}

function Mark({ pointer, begin }: { pointer: string; begin: boolean }) {
  return (
    <>
      <ConditionProperty pointer={`${pointer}/where`} label="Stand out where" begin={begin} />
      <ChoiceProperty pointer={`${pointer}/tone`} label="Colour" options={toneOptions} />
      <TextProperty pointer={`${pointer}/label`} label="Words beside the title" />
      <PartForm pointer={pointer} keys={['lateSince']} />
    </>
  );
}
