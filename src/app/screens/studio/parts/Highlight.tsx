import Button from '@mui/material/Button';
import { useState } from 'react';
import { tones } from '../../../../engine/definitions/definition';
import { Icon } from '../../../icons/Icon';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { ListProperty } from '../properties/ListProperty';
import { PlaceErrors } from '../properties/PlaceErrors';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';

const at = '/list/highlight';
const toneOptions = tones.map((tone) => ({ value: tone, label: tone }));
const add = 'Add others that stand out';
const blank = { tone: 'high', label: 'Attention' };

/** The rows that stand out: which, in what colour, and the words that say so besides the colour. */
export function Highlight() {
  const { value, set, hint } = useDraftValue(at);
  // Its condition begins with a row to fill in: an empty one would highlight every row.
  const [begun, setBegun] = useState(false);
  const isList = Array.isArray(value);
  return (
    <>
      <SwitchRow
        label="Some rows stand out"
        on={value !== undefined}
        hint={hint}
        onChange={(on) => {
          setBegun(on);
          set(on ? blank : undefined);
        }}
      />
      {value !== undefined && <PlaceErrors place={at} />}
      {value !== undefined && !isList && (
        <>
          <Mark place={at} begin={begun} />
          <Button
            size="small"
            variant="outlined"
            startIcon={<Icon name="plus" />}
            onClick={() => {
              setBegun(true);
              set([value, blank]);
            }}
          >
            {add}
          </Button>
        </>
      )}
      {isList && (
        <ListProperty
          at={at}
          label="Rows that stand out, the first that matches"
          add={add}
          blank={() => {
            setBegun(true);
            return blank;
          }}
          titleOf={({ label }) => String(label ?? '')}
          noteOf={({ tone }) => String(tone ?? '')}
        >
          {(place) => <Mark place={place} begin={begun} />}
        </ListProperty>
      )}
    </>
  );
}

function Mark({ place, begin }: { place: string; begin: boolean }) {
  return (
    <>
      <ConditionProperty at={`${place}/where`} label="Stand out where" begin={begin} />
      <ChoiceProperty at={`${place}/tone`} label="Colour" ways={toneOptions} />
      <TextProperty at={`${place}/label`} label="Words beside the title" />
    </>
  );
}
