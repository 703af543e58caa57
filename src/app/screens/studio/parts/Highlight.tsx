import { useState } from 'react';
import { tones } from '../../../../engine/definitions/definition';
import { ConditionProperty } from '../conditions/ConditionProperty';
import { ChoiceProperty } from '../properties/ChoiceProperty';
import { PlaceErrors } from '../properties/PlaceErrors';
import { SwitchRow } from '../properties/SwitchProperty';
import { TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';

const at = '/list/highlight';
const toneOptions = tones.map((tone) => ({ value: tone, label: tone }));

/** The rows that stand out: which, in what colour, and the words that say so besides the colour. */
export function Highlight() {
  const { value, set, hint } = useDraftValue(at);
  // Its condition begins with a row to fill in: an empty one would highlight every row.
  const [begun, setBegun] = useState(false);
  return (
    <>
      <SwitchRow
        label="Some rows stand out"
        on={value !== undefined}
        hint={hint}
        onChange={(on) => {
          setBegun(on);
          set(on ? { tone: 'high', label: 'Attention' } : undefined);
        }}
      />
      {value !== undefined && (
        <>
          <PlaceErrors place={at} />
          <ConditionProperty at={`${at}/when`} label="Stand out where" begin={begun} />
          <ChoiceProperty at={`${at}/tone`} label="Colour" ways={toneOptions} brief />
          <TextProperty at={`${at}/label`} label="Words beside the title" />
        </>
      )}
    </>
  );
}
