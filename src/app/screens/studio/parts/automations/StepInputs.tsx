import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import type { AutomationStepSource } from '../../../../../engine/definitions/source';
import { stepKindOf, stepKinds, withStepKind, type StepKind } from '../../../../../engine/studio/automation-edits';
import { useDefinitions } from '../../../../admin/DefinitionsContext';
import { useDraftPart, useDraftStore } from '../../draft';
import { draftErrors } from '../../places';
import { ChoiceProperty, MultiChoiceProperty } from '../../properties/ChoiceProperty';
import { LabelledInput } from '../../properties/LabelledInput';
import { PlaceErrors } from '../../properties/PlaceErrors';
import { ResourceProperty } from '../../properties/ResourceProperty';
import { TextProperty } from '../../properties/TextProperty';
import { useDraftValue } from '../../properties/useDraftValue';
import { AudienceProperty } from '../audience';
import { mailPaths, manyRecordFields, settableFields, userPaths, valueVariables } from './paths';
import { SuggestedProperty } from '../../properties/SuggestedProperty';
import { useStoredNames } from './useStoredNames';
import { ValuesEditor } from './ValuesEditor';
import * as styles from '../../properties/properties.module.css';

/** What a step does, as in the choice of it. */
export const stepLabels: Readonly<Record<StepKind, string>> = {
  notify: 'Notify',
  mail: 'Send a mail',
  set: 'Set fields',
  create: 'Create records',
  webhook: 'Call a webhook',
};

/** The inputs of a step. */
export function StepInputs({ at }: { at: string }) {
  const { value, set } = useDraftValue(at);
  const store = useDraftStore();
  const step = (value ?? {}) as AutomationStepSource;
  const kind = stepKindOf(step);
  return (
    <>
      <PlaceErrors place={at} />
      <LabelledInput label="Does">
        {({ id, describedBy }) => (
          <Select
            size="small"
            fullWidth
            displayEmpty
            value={kind ?? ''}
            onChange={({ target }) => set(withStepKind(step, target.value as StepKind, store.get().source.name))}
            inputProps={{ id, 'aria-label': 'Does', 'aria-describedby': describedBy }}
          >
            {kind === undefined && (
              <MenuItem value="">
                <span className={styles.studioMuted}>Choose…</span>
              </MenuItem>
            )}
            {stepKinds.map((one) => (
              <MenuItem key={one} value={one}>
                {stepLabels[one]}
              </MenuItem>
            ))}
          </Select>
        )}
      </LabelledInput>
      {kind === 'notify' && <NotifyInputs at={at} />}
      {kind === 'mail' && <MailInputs at={`${at}/mail`} />}
      {kind === 'set' && <SetInputs at={at} of="set" />}
      {kind === 'create' && <CreateInputs at={at} />}
      {kind === 'webhook' && <WebhookInput at={`${at}/webhook`} />}
    </>
  );
}

const readPaths = (value: unknown) => [value ?? []].flat().map(String);
const writePaths = (chosen: string[]) => (chosen.length === 1 ? chosen[0] : chosen);

function NotifyInputs({ at }: { at: string }) {
  const { value, set, hint } = useDraftValue(`${at}/notify`);
  const { registry } = useDefinitions();
  const paths = useDraftPart(({ source }) => userPaths(source, registry, false));
  const isOfRoles = typeof value === 'object' && value !== null && !Array.isArray(value);
  return (
    <>
      <LabelledInput label="Whom" hint={hint}>
        {({ id }) => (
          <Select
            size="small"
            fullWidth
            value={isOfRoles ? 'roles' : 'paths'}
            onChange={({ target }) => set(target.value === 'roles' ? { levels: [2] } : 'created_by')}
            inputProps={{ id, 'aria-label': 'Whom' }}
          >
            <MenuItem value="paths">People of the record</MenuItem>
            <MenuItem value="roles">Everybody of roles, in the company</MenuItem>
          </Select>
        )}
      </LabelledInput>
      {isOfRoles ? (
        <>
          <AudienceProperty at={`${at}/notify`} usual="None" />
        </>
      ) : (
        <MultiChoiceProperty
          at={`${at}/notify`}
          label="People"
          ways={paths}
          read={readPaths}
          write={writePaths}
          free
          isExplained
        />
      )}
      <TextProperty at={`${at}/text`} label="Text" lines={2} />
    </>
  );
}

function MailInputs({ at }: { at: string }) {
  const { registry } = useDefinitions();
  const paths = useDraftPart(({ source }) => mailPaths(source, registry));
  const templates = useStoredNames('email-templates', 'identifier');
  const { value } = useDraftValue(at);
  const { template, subject, text } = (value ?? {}) as NonNullable<AutomationStepSource['mail']>;
  return (
    <>
      <PlaceErrors place={at} />
      <SuggestedProperty at={`${at}/to`} label="To" ways={paths} emptied="" />
      <SuggestedProperty at={`${at}/template`} label="Template" ways={templates} usual="None" />
      {(template === undefined || subject !== undefined) && <TextProperty at={`${at}/subject`} label="Subject" />}
      {(template === undefined || text !== undefined) && <TextProperty at={`${at}/text`} label="Text" lines={3} />}
    </>
  );
}

/** The values of a step: of the record itself, or of the one that it creates. */
function SetInputs({ at, of }: { at: string; of: 'set' | 'values' }) {
  const place = `${at}/${of}`;
  const { registry } = useDefinitions();
  const { value, set } = useDraftValue(place);
  const { value: resource } = useDraftValue(`${at}/create`);
  const { value: each } = useDraftValue(`${at}/forEach`);
  const { source, errors } = useDraftPart((draft) => ({
    source: draft.source,
    errors: draftErrors(draft).filter(({ path }) => path.startsWith(`${place}/`)),
  }));
  const isOwn = of === 'set';
  return (
    <>
      <PlaceErrors place={place} />
      <ValuesEditor
        label="Values"
        add="Add a value"
        none={isOwn ? 'Choose a field to set.' : 'Fields without a value get their defaults.'}
        values={(value ?? {}) as Readonly<Record<string, unknown>>}
        fields={settableFields(isOwn ? source.name : String(resource), source, registry)}
        variablesOf={({ field }) => valueVariables(field, source, typeof each === 'string' ? each : undefined)}
        errorOf={(name) =>
          errors.find(({ path }) => path === `${place}/${name}` || path.startsWith(`${place}/${name}/`))?.message
        }
        onChange={(next) => set(!isOwn && Object.keys(next).length === 0 ? undefined : next)}
      />
    </>
  );
}

function CreateInputs({ at }: { at: string }) {
  const several = useDraftPart(({ source }) => manyRecordFields(source));
  return (
    <>
      <ResourceProperty at={`${at}/create`} label="Record of" />
      <ChoiceProperty at={`${at}/forEach`} label="One for each of" ways={several} none="Just one" />
      <SetInputs at={at} of="values" />
    </>
  );
}

function WebhookInput({ at }: { at: string }) {
  const webhooks = useStoredNames('webhooks', 'name');
  return <SuggestedProperty at={at} label="Webhook" ways={webhooks} emptied="" />;
}
