import { useDraftPart } from '../draft';
import { writtenTypeOf } from '../../../../engine/field-types';
import { email } from '../../../../engine/field-types/email';
import { ChoiceProperty, MultiChoiceProperty } from '../properties/ChoiceProperty';
import { DefaultProperty } from '../properties/DefaultProperty';
import { fieldOptions } from '../properties/fieldOptions';
import { MapProperty } from '../properties/MapProperty';
import { SwitchProperty, SwitchRow } from '../properties/SwitchProperty';
import { NumberProperty, TextProperty } from '../properties/TextProperty';
import { useDraftValue } from '../properties/useDraftValue';

/** The form for people without an account, and whether forms of other modules may name the records. */
export function PublicInputs() {
  const { value, set, hint, error } = useDraftValue('/public/create');
  const { fields, title } = useDraftPart(({ source }) => ({
    fields: fieldOptions(source, (field, name) => name in source.fields && field.computed === undefined),
    title: source.titles?.create ?? `Add New ${source.labels.one}`,
  }));
  const isOff = value === undefined;
  const first = fields.find(({ value: name }) => name !== 'id')?.value;
  return (
    <>
      <SwitchRow
        label="There is a form for people without an account"
        on={!isOff}
        {...{ hint, error: isOff ? error : undefined }}
        onChange={(on) => set(on ? { fields: [first] } : undefined)}
      />
      {!isOff && (
        <>
          <MultiChoiceProperty at="/public/create/fields" label="Its fields" ways={fields} write={(chosen) => chosen} />
          <TextProperty at="/public/create/title" label="Heading" usual={title} />
          <TextProperty at="/public/create/text" label="Text below the heading" usual="None" lines={2} />
          <TextProperty at="/public/create/confirmation" label="After sending" usual="Thank you." lines={2} />
          <NumberProperty at="/public/create/hourlyLimit" label="At most in an hour" usual="100" />
          <MapProperty
            at="/public/create/values"
            label="Values of other fields"
            add="Add a value"
            none="Their defaults."
            ways={fields}
            blank={() => ''}
          >
            {(place, name, label) => <DefaultProperty at={place} name={name} label={`Value of ${label}`} />}
          </MapProperty>
          <MailInputs />
        </>
      )}
      <SwitchProperty at="/public/choices" label="Public forms of other modules may offer its records" />
    </>
  );
}

/** The mail to the address that was entered. */
function MailInputs() {
  const { value, set, hint, error } = useDraftValue('/public/create/mail');
  const addresses = useDraftPart(({ source }) => fieldOptions(source, (field) => writtenTypeOf(field) === email));
  const isOff = value === undefined;
  return (
    <>
      <SwitchRow
        label="A mail confirms it"
        on={!isOff}
        {...{ hint, error: isOff ? error : undefined }}
        disabled={isOff && addresses.length === 0}
        onChange={(on) =>
          set(on ? { address: addresses[0]!.value, subject: 'Thank you', text: 'We have received it.' } : undefined)
        }
      />
      {!isOff && (
        <>
          <ChoiceProperty at="/public/create/mail/address" label="Sent to" ways={addresses} />
          <TextProperty at="/public/create/mail/subject" label="Subject" />
          <TextProperty at="/public/create/mail/text" label="Text of the mail" lines={3} />
        </>
      )}
    </>
  );
}
