import { useDefinitions } from '../../../../admin/DefinitionsContext';
import { useDraftPart } from '../../draft';
import { ChoiceInput, MultiChoiceProperty } from '../../properties/ChoiceProperty';
import { SuggestedProperty } from '../../properties/SuggestedProperty';
import type { SpecialInputProps } from '../../properties/specialInputProps';
import { useDraftValue } from '../../properties/useDraftValue';
import { isJsonObject } from '../../../../../engine/studio/json';
import { AudienceProperty } from '../audience';
import { userPaths } from './paths';
import { useStoredNames } from './useStoredNames';

const readPaths = (value: unknown) => [value ?? []].flat().map(String);
const writePaths = (chosen: string[]) => (chosen.length === 1 ? chosen[0] : chosen);
const audiences = [
  { value: 'paths', label: 'People of the record' },
  { value: 'roles', label: 'Everybody of roles, in the company' },
];

/** Who is notified: people whom the record names, or everybody of roles or levels. */
export function RecipientsInput({ at, label }: SpecialInputProps) {
  const { value, set, hint } = useDraftValue(at);
  const { registry } = useDefinitions();
  const paths = useDraftPart(({ source }) => userPaths(source, registry, false));
  const isOfRoles = isJsonObject(value);
  return (
    <>
      <ChoiceInput
        {...{ label, hint }}
        ways={audiences}
        chosen={isOfRoles ? 'roles' : 'paths'}
        onChoose={(chosen) => set(chosen === 'roles' ? { levels: [2] } : 'created_by')}
      />
      {isOfRoles ? (
        <AudienceProperty at={at} usual="None" />
      ) : (
        <MultiChoiceProperty at={at} label="People" ways={paths} read={readPaths} write={writePaths} free isExplained />
      )}
    </>
  );
}

/** The identifier of a stored email template. */
export function EmailTemplateInput({ at, label, usual }: SpecialInputProps) {
  return <SuggestedProperty {...{ at, label, usual }} ways={useStoredNames('email-templates', 'identifier')} />;
}

/** The name of a webhook that an administrator has entered. */
export function WebhookInput({ at, label }: SpecialInputProps) {
  return <SuggestedProperty {...{ at, label }} ways={useStoredNames('webhooks', 'name')} emptied="" />;
}
