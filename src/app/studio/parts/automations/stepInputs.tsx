import { useDefinitions } from '../../../data/DefinitionsContext';
import { useDraftPart } from '../../draft';
import { ChoiceInput, MultiChoiceProperty, type Option } from '../../properties/ChoiceProperty';
import { SuggestedProperty } from '../../properties/SuggestedProperty';
import { useDraftValue, type SpecialInputProps } from '../../properties/useDraftValue';
import { isJsonObject } from '../../../../engine/formats/json';
import { AudienceProperty } from '../audience';
import { userPaths } from './paths';
import { useQuery } from '@tanstack/react-query';
import type { RaRecord } from 'react-admin';
import { dataProvider } from '../../../data/dataProvider';

const noOptions: readonly Option[] = [];

/** The names of stored records of a system resource, as suggestions; none if they cannot be read. */
function useStoredNames(resource: string, field: string): readonly Option[] {
  const { data = noOptions } = useQuery({
    queryKey: [resource, 'studio-names', field],
    queryFn: async ({ signal }) => {
      const pagination = { page: 1, perPage: 100 };
      const sort = { field, order: 'ASC' as const };
      const page = await dataProvider.getList<RaRecord>(resource, { pagination, sort, filter: {}, signal });
      const names = page.data.map((record) => String(record[field]));
      return [...new Set(names)].map((name) => ({ value: name, label: name }));
    },
    retry: false,
    meta: { quiet: true },
  });
  return data;
}

const readPaths = (value: unknown) => [value ?? []].flat().map(String);
const writePaths = (paths: string[]) => (paths.length === 1 ? paths[0] : paths);
const audiences = [
  { value: 'paths', label: 'People of the record' },
  { value: 'roles', label: 'Everybody of roles, in the company' },
];

/** The recipients: people whom the record names, or everybody of roles or levels. */
export function RecipientsInput({ pointer, label }: SpecialInputProps) {
  const { value, set, hint } = useDraftValue(pointer);
  const { registry } = useDefinitions();
  const paths = useDraftPart(({ source }) => userPaths(source, registry, false));
  const isOfRoles = isJsonObject(value);
  return (
    <>
      <ChoiceInput
        {...{ label, hint }}
        options={audiences}
        value={isOfRoles ? 'roles' : 'paths'}
        onChoose={(audience) => set(audience === 'roles' ? { levels: [2] } : 'created_by')}
      />
      {isOfRoles ? (
        <AudienceProperty pointer={pointer} placeholder="None" />
      ) : (
        <MultiChoiceProperty
          pointer={pointer}
          label="People"
          options={paths}
          read={readPaths}
          write={writePaths}
          free
          isExplained
        />
      )}
    </>
  );
}

/** The identifier of a stored email template. */
export function EmailTemplateInput({ pointer, label, placeholder }: SpecialInputProps) {
  return (
    <SuggestedProperty {...{ pointer, label, placeholder }} options={useStoredNames('email-templates', 'identifier')} />
  );
}

/** The name of a webhook that an administrator has entered. */
export function WebhookInput({ pointer, label }: SpecialInputProps) {
  return <SuggestedProperty {...{ pointer, label }} options={useStoredNames('webhooks', 'name')} emptyValue="" />;
}
