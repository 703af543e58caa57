import { parseId } from '../../../engine/field-types/relation';
import Box from '@mui/material/Box';
import { useMemo } from 'react';
import type { Actor } from '../../../engine/access/actor';
import { isGranted } from '../../../engine/access/access-decision';
import { actions, type Definition, type ResourceRecord } from '../../../engine/definitions/definition';
import { propertyOf } from '../../../engine/values/lookups';
import type { Registry } from '../../../engine/registry/registry';
import { useDefinitions } from '../../data/DefinitionsContext';
import type { Choice, ChoiceSource } from '../../fields/choices/choice';
import { ChoiceInput } from '../../fields/choices/ChoiceInput';
import { optionSource, choicesPageSize } from '../../fields/choices/loadChoices';
import type { Question, Why, MatrixModule } from './api';
import { WhyAnswer } from './WhyAnswer';
import * as styles from './permissions.module.css';
import { normalise } from '../../../engine/normalise/normalise';
import { recordTitleOf } from '../../../engine/lists/titles';
import { fetchApi } from '../../session/api';

/** The question as a definition, so that its inputs are rendered like those of records. */
const whyFields = normalise({
  name: 'why',
  labels: { one: 'Question', many: 'Questions' },
  scope: 'self',
  recordTitle: '{module}',
  fields: {
    user: { type: 'relation', to: 'users', label: 'User', placeholder: 'Choose a user or service account' },
    module: { type: 'text', label: 'Module', placeholder: 'Choose' },
    action: { type: 'text', label: 'Action', placeholder: 'Choose' },
    record: { type: 'text', label: 'Record', placeholder: 'Any record' },
    field: { type: 'text', label: 'Field', placeholder: 'Any field' },
  },
}).fields;

interface WhyPanelProps {
  modules: readonly MatrixModule[];
  question: Question;
  answer: Why | undefined;
  isStale: boolean;
  error: Error | null;
  onAsk: (question: Question) => void;
}

const emptySource: ChoiceSource = { key: ['why', 'nothing'], load: async () => [], blocked: 'Choose a module first' };
const actionSource = optionSource(
  actions.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) })),
);

/** Inputs for a user, a module and an action, and the steps by which the action is allowed or denied. */
export function WhyPanel({ modules, question, answer, isStale, error, onAsk }: WhyPanelProps) {
  const { registry, actor } = useDefinitions();
  const { user, service, module, action, record, field } = question;
  const definition = registry.get(module);
  const people = useMemo(() => subjectSource(registry, actor), [registry, actor]);
  const moduleSource = useMemo(
    () => optionSource(modules.flatMap(({ name, label, definition }) => (definition ? [{ value: name, label }] : []))),
    [modules],
  );
  const records = useMemo(() => recordChoices(definition, answer?.record ?? null), [definition, answer?.record]);
  const fieldSource = useMemo(() => fieldChoices(definition), [definition]);
  const mayFind = definition !== undefined && isGranted(actor, definition.name, 'list');
  return (
    <>
      <div className={`${styles.panelBody} ${styles.whyQuestion}`}>
        <QuestionInput
          name="user"
          source={people}
          value={service === undefined ? user : `${servicePrefix}${service}`}
          onPick={(id) => onAsk({ ...question, ...subjectOf(id) })}
        />
        <Box sx={{ display: 'grid', gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', gap: 3 }}>
          <QuestionInput
            name="module"
            source={moduleSource}
            value={module}
            onPick={(name) => onAsk({ user, service, action, module: name as string | undefined })}
          />
          <QuestionInput
            name="action"
            source={actionSource}
            value={action}
            onPick={(name) => onAsk({ ...question, action: actions.find((candidate) => candidate === name) })}
          />
        </Box>
        {action !== 'create' && (
          <QuestionInput
            name="record"
            source={mayFind ? records : emptySource}
            value={record}
            onPick={(id) => onAsk({ ...question, record: id as number | undefined })}
          />
        )}
        <QuestionInput
          name="field"
          source={fieldSource}
          value={field}
          onPick={(name) => onAsk({ ...question, field: name as string | undefined })}
        />
      </div>
      <WhyAnswer {...{ definition, question, answer, isStale, error }} />
    </>
  );
}

interface QuestionInputProps {
  name: keyof typeof whyFields & string;
  source: ChoiceSource;
  value: Choice['id'] | undefined;
  onPick: (id: Choice['id'] | undefined) => void;
}

function QuestionInput({ name, source, value, onPick }: QuestionInputProps) {
  const field = propertyOf(whyFields, name);
  const id = `why-${name}`;
  return (
    <div className={styles.whyField}>
      <label id={`${id}-label`} htmlFor={id}>
        {field.label}
      </label>
      <ChoiceInput
        // Another module starts with an empty input.
        key={source.key.join()}
        {...{ id, field, source, value }}
        size="small"
        onChange={(choice) => onPick(choice as Choice['id'] | undefined)}
      />
    </div>
  );
}

/** Ids of service accounts among those of users. */
const servicePrefix = 'service-';

/** Users, and service accounts for whoever may list them. */
function subjectSource(registry: Registry, actor: Actor): ChoiceSource {
  const people = recordSource(registry.getOrThrow('users'), [], false);
  const accounts = registry.get('service-accounts');
  if (!accounts || !isGranted(actor, accounts.name, 'list')) return people;
  const services = recordSource(accounts, [], false);
  const asServices = (choices: readonly Choice[]) =>
    choices.map((choice) => ({ ...choice, id: `${servicePrefix}${choice.id}`, detail: accounts.labels.one }));
  return {
    ...people,
    key: [...people.key, accounts.name],
    load: async (text, signal) => {
      const [users, foundServices] = await Promise.all([people.load(text, signal), services.load(text, signal)]);
      return [...users, ...asServices(foundServices)];
    },
    find: async (ids, signal) => {
      const subjects = ids.map(subjectOf);
      const ofUsers = subjects.flatMap(({ user }) => user ?? []);
      const ofServices = subjects.flatMap(({ service }) => service ?? []);
      const [users, foundServices] = await Promise.all([
        ofUsers.length > 0 ? people.find(ofUsers, signal) : [],
        ofServices.length > 0 ? services.find(ofServices, signal) : [],
      ]);
      return [...users, ...asServices(foundServices)];
    },
  };
}

function subjectOf(id: Choice['id'] | undefined): Pick<Question, 'user' | 'service'> {
  const isService = typeof id === 'string' && id.startsWith(servicePrefix);
  return isService
    ? { user: undefined, service: Number(id.slice(servicePrefix.length)) }
    : { user: id === undefined ? undefined : Number(id), service: undefined };
}

function recordChoices(
  definition: Definition | undefined,
  knownRecord: { id: number; title: string } | null,
): ChoiceSource {
  if (!definition) return emptySource;
  return recordSource(
    definition,
    knownRecord ? [{ id: knownRecord.id, title: `#${knownRecord.id} ${knownRecord.title}` }] : [],
  );
}

/** The fields to choose from: those that are stored. */
function fieldChoices(definition: Definition | undefined): ChoiceSource {
  if (!definition) return emptySource;
  const fields = Object.values(definition.fields).filter(({ computed: expression }) => expression === undefined);
  return {
    ...optionSource(fields.map(({ name, label }) => ({ value: name, label }))),
    key: ['fields', definition.name],
  };
}

/** Choices of records, also of those with certain ids. */
type RecordSource = ChoiceSource & Required<Pick<ChoiceSource, 'find'>>;

/** Records of a resource as choices, found by text or by number. */
function recordSource(definition: Definition, knownChoices: readonly Choice[] = [], hasNumber = true): RecordSource {
  const loadRecords = async (query: Record<string, string>, signal?: AbortSignal) => {
    const parameters = new URLSearchParams({ range: JSON.stringify([0, choicesPageSize - 1]), ...query });
    const answer = await fetchApi<unknown>(`/${definition.name}?${parameters}`, { signal });
    const records = (
      definition.envelope ? (answer as Record<string, unknown>)[definition.envelope] : answer
    ) as ResourceRecord[];
    return records.map((record) => ({ id: record.id as number, title: numberedTitle(definition, record, hasNumber) }));
  };
  return {
    key: ['why', definition.name],
    load: async (text, signal) => {
      const number = parseId(text.trim().replace(/^#/, ''))?.toString();
      const [byNumber, byText] = await Promise.all([
        number ? loadRecords({ id: number }, signal) : [],
        loadRecords(text.trim() ? { q: text.trim() } : {}, signal),
      ]);
      return [...byNumber, ...byText.filter(({ id }) => byNumber.every((choice) => choice.id !== id))];
    },
    find: (ids, signal) => loadRecords({ id: ids.join(',') }, signal),
    knownChoices,
    target: definition,
  };
}

/** A record's title with its number: `#418 Make payment submissions …`. */
function numberedTitle(definition: Definition, record: ResourceRecord, hasNumber: boolean): string {
  const title = recordTitleOf(definition, record);
  return hasNumber && title !== `#${String(record.id)}` ? `#${String(record.id)} ${title}` : title;
}
