import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import Select from '@mui/material/Select';
import { useMutation } from '@tanstack/react-query';
import { useId, useMemo, useState } from 'react';
import type { Definition, Field } from '../../../../engine/definitions/definition';
import type { TriedAutomation, TriedStep } from '../../../../engine/automations/trial';
import { useDefinitions } from '../../../data/DefinitionsContext';
import { ChoiceInput } from '../../../fields/choices/ChoiceInput';
import { Icon } from '../../../icons/Icon';
import { ApiError } from '../../../session/api';
import { tryAutomations, type TryOutRequest } from '../../api';
import { moduleRecordSource } from '../../conditions/moduleRecordSource';
import { useDraftPart, useDraftStore } from '../../draft';
import { LabelledInput } from '../../properties/LabelledInput';
import { settableFields, valueVariables } from './paths';
import { ValuesEditor } from './ValuesEditor';
import * as chipsStyles from '../../../chips/chips.module.css';
import * as propertiesStyles from '../../properties/properties.module.css';
import * as styles from './automations.module.css';

const triggers = [
  { value: '', label: 'What each automation waits for' },
  { value: 'create', label: 'It is created' },
  { value: 'update', label: 'It is changed' },
  { value: 'delete', label: 'It is deleted' },
  { value: 'comment', label: 'It gets a comment' },
  { value: 'time', label: 'The time comes' },
];

type Values = Readonly<Record<string, unknown>>;

/** Tries the automations of the draft out on a stored record: what they would do is shown, and nothing of it is done. */
export function TryOut() {
  const { registry } = useDefinitions();
  const { name, hasAny, unreadable } = useDraftPart(({ source, module, unreadable }) => ({
    name: module.name,
    hasAny: (source.automations ?? []).length > 0,
    unreadable: unreadable !== null,
  }));
  const publishedDefinition = registry.get(name);
  if (!hasAny) return null;
  return (
    <Box component="section" sx={{ display: 'grid', gap: 3.5 }} aria-label="Try out">
      <h3 className={propertiesStyles.studioPart}>Try out</h3>
      <p className={propertiesStyles.studioHint}>
        {publishedDefinition
          ? 'What the automations of this draft would do for a stored record. Nothing of it is done.'
          : 'Automations can be tried out on stored records, once the module is published.'}
      </p>
      {publishedDefinition && <TryOutInputs publishedDefinition={publishedDefinition} disabled={unreadable} />}
    </Box>
  );
}

function TryOutInputs({ publishedDefinition, disabled }: { publishedDefinition: Definition; disabled: boolean }) {
  const { registry } = useDefinitions();
  const people = registry.get(publishedDefinition.fields.created_by?.to);
  const store = useDraftStore();
  const source = useDraftPart((draft) => draft.source);
  const [record, setRecord] = useState<unknown>();
  const [author, setAuthor] = useState<unknown>();
  const [trigger, setTrigger] = useState('');
  const [changedValues, setChangedValues] = useState<Values>({});
  const tryOut = useMutation({
    mutationFn: async (request: TryOutRequest) => {
      const definition = store.get().source;
      return { of: definition, ...(await tryAutomations(publishedDefinition.name, definition, request)) };
    },
    meta: { quiet: true },
  });
  const takesChange = trigger === '' || trigger === 'create' || trigger === 'update';
  const isMade = takesChange && Object.keys(changedValues).length > 0;
  const isReady = typeof record === 'number' && !disabled && !tryOut.isPending;
  const tryNow = () =>
    tryOut.mutate({
      record: record as number,
      ...(trigger !== '' && { trigger }),
      ...(isMade && { changed: changedValues }),
      ...(typeof author === 'number' && { author }),
    });
  return (
    <>
      <RecordInput
        label={publishedDefinition.labels.one}
        target={publishedDefinition}
        value={record}
        onChange={setRecord}
      />
      <LabelledInput label="What happens to it">
        {({ id }) => (
          <Select
            size="small"
            fullWidth
            displayEmpty
            value={trigger}
            onChange={({ target }) => setTrigger(target.value)}
            inputProps={{ id, 'aria-label': 'What happens to it' }}
          >
            {triggers.map(({ value, label }) => (
              <MenuItem key={value} value={value}>
                {label}
              </MenuItem>
            ))}
          </Select>
        )}
      </LabelledInput>
      {takesChange && (
        <ValuesEditor
          label="Values that the change gives"
          add="Add a changed value"
          emptyText="Each field counts as just filled in."
          values={changedValues}
          fields={settableFields(publishedDefinition.name, source, registry)}
          variablesOf={({ field }) => valueVariables(field, source, undefined).filter(({ value }) => value === null)}
          onChange={setChangedValues}
        />
      )}
      {people && (
        <RecordInput
          label="Who makes the change"
          placeholder="You"
          target={people}
          value={author}
          onChange={setAuthor}
        />
      )}
      <div>
        <Button variant="outlined" startIcon={<Icon name="play" />} disabled={!isReady} onClick={tryNow}>
          Try out
        </Button>
      </div>
      <div role="status" aria-busy={tryOut.isPending}>
        {tryOut.error && <TryOutError error={tryOut.error} />}
        {tryOut.data && tryOut.data.of !== source && (
          <p className={propertiesStyles.studioHint}>The draft has changed since. Try again to see what holds now.</p>
        )}
        {tryOut.data && <TriedList {...tryOut.data} />}
      </div>
    </>
  );
}

interface RecordInputProps {
  label: string;
  placeholder?: string;
  target: Definition;
  value: unknown;
  onChange: (value: unknown) => void;
}

function RecordInput({ label, placeholder = 'Choose…', target, value, onChange }: RecordInputProps) {
  const id = useId();
  const choices = useMemo(() => moduleRecordSource(target), [target]);
  return (
    <div className={propertiesStyles.studioInput}>
      <div className={propertiesStyles.studioLabel}>
        <label htmlFor={id}>{label}</label>
      </div>
      <ChoiceInput
        id={id}
        size="small"
        source={choices}
        field={{ name: 'record', label, type: 'relation', placeholder } as Field}
        value={value}
        onChange={onChange}
      />
    </div>
  );
}

/** Why nothing could be tried out, with the faults of the draft or of what was entered here. */
function TryOutError({ error }: { error: Error }) {
  const faults = error instanceof ApiError ? Object.entries(error.errors) : [];
  return (
    <div className={propertiesStyles.studioFaults} role="alert">
      <p>{error.message}</p>
      {faults.map(([errorPath, message]) => (
        <p key={errorPath}>
          {errorPath}: {String(message)}
        </p>
      ))}
    </div>
  );
}

function TriedList({ note, automations }: { note: string | null; automations: readonly TriedAutomation[] }) {
  return (
    <>
      {note && <p className={propertiesStyles.studioHint}>{note}</p>}
      <ul className={styles.studioTried} aria-label="What would happen">
        {automations.map((result) => (
          <Tried key={result.name} result={result} />
        ))}
      </ul>
    </>
  );
}

function Tried({ result }: { result: TriedAutomation }) {
  const { label, runs, state, reason, unmet: unmetConditions, as: executor, message, steps } = result;
  const [verdict, tone] = !runs
    ? ['Would not run', undefined]
    : state === 'refused'
      ? ['Would be refused', 'urgent']
      : ['Would run', 'low'];
  return (
    <li>
      <header>
        <b>{label}</b>
        <span className={chipsStyles.chip} data-tone={tone}>
          <span>{verdict}</span>
        </span>
      </header>
      <p>{reason}</p>
      {unmetConditions.length > 0 && (
        <ul aria-label="What is not met">
          {unmetConditions.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      )}
      {executor !== null && <p>With the permissions of {executor}.</p>}
      {message !== null && <p>{message}</p>}
      {steps.length > 0 && (
        <ol aria-label="Steps">
          {steps.map((step, index) => (
            <TriedStepText key={index} step={step} />
          ))}
        </ol>
      )}
    </li>
  );
}

function TriedStepText({ step }: { step: TriedStep }) {
  const { text, messages = [], mail, records = [], webhook } = step;
  return (
    <li>
      {text}
      {messages.map(({ user, text: messageText }, index) => (
        <small key={index}>
          {user}: {messageText}
        </small>
      ))}
      {mail && (
        <small>
          {mail.user ?? mail.address}: {mail.subject}. {mail.text}
        </small>
      )}
      {records.map(({ values }, index) => (
        <small key={index}>
          {values.map(({ label, text: valueText }) => `${label}: ${valueText === '' ? 'empty' : valueText}`).join(', ')}
        </small>
      ))}
      {webhook && <pre className={propertiesStyles.studioCode}>{webhook.body}</pre>}
    </li>
  );
}
