import Autocomplete from '@mui/material/Autocomplete';
import Chip from '@mui/material/Chip';
import OutlinedInput from '@mui/material/OutlinedInput';
import TextField from '@mui/material/TextField';
import { useId } from 'react';
import { fieldOf } from '../../src/engine/definitions/accessors';
import { formatNumber } from '../../src/engine/formats/numbers';
import { Initials } from '../../src/app/chips/Initials';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useEvaluationContext } from '../../src/app/data/useEvaluationContext';
import { DateInput } from '../../src/app/fields/date/DateInput';
import { LabelledInput } from '../../src/app/list/filters/ValueInput';
import * as toolbarStyles from '../../src/app/list/toolbar.module.css';
import type { Choice } from '../add-tests/selection';
import { describeDays } from '../run-overview/describeDays';
import { formatSeconds } from '../run-overview/formatSeconds';
import { CopyFromRun } from './CopyFromRun';
import type { Milestone, RunContents } from './newRunApi';
import type { Share, Sharing } from './runPlan';
import * as styles from './new-run.module.css';

/** The values of a run that is not started yet. */
export interface RunDraft {
  readonly project: number | undefined;
  /** Undefined: it is made from milestone and configuration. */
  readonly name: string | undefined;
  readonly milestone: number | null;
  /** Undefined: that of the milestone. */
  readonly dueDate: string | null | undefined;
  readonly configurations: readonly Choice[];
  readonly people: readonly Choice[];
  readonly sharing: Sharing;
}

interface RunFieldsProps {
  draft: RunDraft;
  change: (part: Partial<RunDraft>) => void;
  /** The name that is stored. */
  name: string;
  dueDate: string | null;
  projects: readonly Choice[];
  milestones: readonly Milestone[];
  configurations: readonly Choice[];
  people: readonly Choice[];
  shares: readonly Share[];
  errors: Readonly<Record<string, string>>;
  onCopy: (contents: RunContents) => void;
}

const sharings: readonly { value: Sharing; label: string }[] = [
  { value: 'round_robin', label: 'Evenly' },
  { value: 'module', label: 'By module' },
  { value: 'later', label: 'Later' },
];

/** Name, project, milestone, due date, configurations and people of a new run. */
export function RunFields({ draft, change, name, dueDate, shares, errors, onCopy, ...choices }: RunFieldsProps) {
  const { registry } = useDefinitions();
  const { today = '' } = useEvaluationContext();
  const dueField = fieldOf(registry.getOrThrow('test-runs'), 'due_on');
  return (
    <section className={styles.fields} aria-label="The run">
      <LabelledInput label="Name" note={errors.name}>
        {(id) => (
          <>
            <OutlinedInput
              id={id}
              fullWidth
              autoFocus
              required
              error={errors.name !== undefined}
              value={name}
              onChange={({ target }) => change({ name: target.value })}
              onBlur={() => draft.name === '' && change({ name: undefined })}
              slotProps={{ input: { maxLength: 200 } }}
            />
            {draft.name === undefined && <small>Made from milestone and configuration</small>}
          </>
        )}
      </LabelledInput>
      <One
        label="Project"
        value={choices.projects.find(({ id }) => id === draft.project) ?? null}
        options={choices.projects}
        disableClearable
        onChange={(project) => change({ project: project?.id, milestone: null, dueDate: undefined })}
      />
      <div className={styles.pair}>
        <One
          label="Milestone"
          value={choicesOf(choices.milestones).find(({ id }) => id === draft.milestone) ?? null}
          options={choicesOf(choices.milestones)}
          onChange={(milestone) => change({ milestone: milestone?.id ?? null, dueDate: undefined })}
        />
        <LabelledInput label="Due Date" note={dueDate && describeDays(dueDate, today).replace(', ', '')}>
          {(id) => (
            <DateInput
              id={id}
              field={dueField}
              value={dueDate}
              onChange={(value) => change({ dueDate: (value as string | null | undefined) || null })}
            />
          )}
        </LabelledInput>
      </div>
      <Many
        label="Configurations"
        hint="Each configuration repeats the cases"
        value={draft.configurations}
        options={choices.configurations}
        onChange={(configurations) => change({ configurations })}
      />
      <Many
        label="People"
        hasFaces
        value={draft.people}
        options={choices.people}
        onChange={(people) => change({ people })}
      />
      <div className={styles.sharing} role="group" aria-label="Share the tests">
        <b>Share the tests</b>
        <span className={toolbarStyles.listViews}>
          {sharings.map(({ value, label }) => (
            <button
              key={value}
              type="button"
              aria-pressed={draft.sharing === value}
              onClick={() => change({ sharing: value })}
            >
              {label}
            </button>
          ))}
        </span>
        <small role="status">{describeShares(shares, draft)}</small>
      </div>
      <CopyFromRun key={draft.project} project={draft.project} onCopy={onCopy} />
    </section>
  );
}

const choicesOf = (milestones: readonly Milestone[]): readonly Choice[] =>
  milestones.map(({ id, name }) => ({ id, title: name }));

/** `8 each: Quentin 34 min, Dina 33 min` */
function describeShares(shares: readonly Share[], { people, sharing }: RunDraft): string {
  if (sharing === 'later') return 'Nobody has them yet.';
  if (people.length === 0) return 'Choose people, and each gets a part.';
  const counts = shares.map(({ tests }) => tests);
  const [minimum, maximum] = [Math.min(...counts), Math.max(...counts)];
  const countText =
    minimum === maximum ? `${formatNumber(maximum)} each` : `${formatNumber(minimum)} to ${formatNumber(maximum)} each`;
  const parts = shares.map(({ person, seconds }) => {
    const name = people.find(({ id }) => id === person)?.title.split(' ')[0] ?? '';
    return `${name} ${formatSeconds(seconds)}`;
  });
  return `${countText}: ${parts.join(', ')}`;
}

interface OneProps {
  label: string;
  value: Choice | null;
  options: readonly Choice[];
  disableClearable?: boolean;
  onChange: (choice: Choice | null) => void;
}

function One({ label, value, options, disableClearable, onChange }: OneProps) {
  return (
    <LabelledInput label={label}>
      {(id) => (
        <Autocomplete<Choice, false, boolean>
          id={id}
          value={value}
          options={options}
          disableClearable={disableClearable}
          getOptionLabel={({ title }) => title}
          getOptionKey={(option) => option.id}
          isOptionEqualToValue={(option, choice) => option.id === choice.id}
          onChange={(_, choice) => onChange(choice)}
          renderInput={(params) => <TextField {...params} />}
        />
      )}
    </LabelledInput>
  );
}

interface ManyProps {
  label: string;
  hint?: string;
  hasFaces?: boolean;
  value: readonly Choice[];
  options: readonly Choice[];
  onChange: (choices: readonly Choice[]) => void;
}

function Many({ label, hint, hasFaces, value, options, onChange }: ManyProps) {
  const hintId = useId();
  return (
    <LabelledInput label={label}>
      {(id) => (
        <>
          <Autocomplete
            id={id}
            multiple
            disableCloseOnSelect
            value={[...value]}
            options={[...options]}
            getOptionLabel={({ title }) => title}
            getOptionKey={(option) => option.id}
            isOptionEqualToValue={(option, choice) => option.id === choice.id}
            onChange={(_, choices) => onChange(choices)}
            renderValue={(choices, itemProps) =>
              choices.map((choice, index) => {
                const { key, ...rest } = itemProps({ index });
                return (
                  <Chip
                    key={key}
                    {...rest}
                    label={choice.title}
                    {...(hasFaces && { avatar: <Initials name={choice.title} size={18} /> })}
                  />
                );
              })
            }
            renderInput={(params) => (
              <TextField {...params} placeholder="Add…" aria-describedby={hint ? hintId : undefined} />
            )}
          />
          {hint && <small id={hintId}>{hint}</small>}
        </>
      )}
    </LabelledInput>
  );
}
