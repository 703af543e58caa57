import { labelOf } from '../../../src/engine/definitions/labels';
import { useDraft } from '../draft';
import { wholeField } from '../fields/entries';
import { FieldConditions } from './FieldConditions';
import { FieldSwitches } from './FieldSwitches';
import { FieldTexts } from './FieldTexts';
import { KeyInput } from './KeyInput';
import { KeyName } from './KeyName';
import { PlaceErrors } from './PlaceErrors';
import { Snippet } from './Snippet';
import { TextAt } from './TextAt';
import { typeKeys } from './typeKeys';
import { TypeChoice } from './TypeChoice';

/** Keys that fill a row of their own. */
const wide = new Set(['options', 'of', 'show', 'embedFields', 'within', 'integer']);

/** What can be said of a field. */
export function FieldProperties({ name }: { name: string }) {
  const { source } = useDraft();
  const field = wholeField(source, name);
  const keys = typeKeys(field.type ?? 'text');
  const [narrow, broad] = [keys.filter((key) => !wide.has(key)), keys.filter((key) => wide.has(key))];
  return (
    <>
      <PlaceErrors place={`/fields/${name}`} />
      <div className="studio-pair">
        <KeyName key={name} name={name} />
        <TypeChoice name={name} />
        <TextAt at={`/fields/${name}/label`} label="Label" usual={field.label ?? labelOf(name)} brief />
        {narrow.map((part) => (
          <KeyInput key={part} {...{ name, field, part }} />
        ))}
      </div>
      {broad.map((part) => (
        <KeyInput key={part} {...{ name, field, part }} />
      ))}
      <hr />
      <FieldSwitches name={name} field={field} />
      <hr />
      <FieldConditions name={name} field={field} />
      <hr />
      <FieldTexts name={name} />
      <Snippet name={name} value={source.fields[name]} />
    </>
  );
}
