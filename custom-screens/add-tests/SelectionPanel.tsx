import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import FormControlLabel from '@mui/material/FormControlLabel';
import Radio from '@mui/material/Radio';
import RadioGroup from '@mui/material/RadioGroup';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNotify } from 'react-admin';
import { useNavigate } from 'react-router-dom';
import { formatNumber } from '../../src/engine/formats/numbers';
import { fetchApi } from '../../src/app/session/api';
import type { Run } from '../test-runner/runnerApi';
import { countTests, toggled, type Choice, type Selection } from './selection';
import { usePeople } from './useChoices';
import * as styles from './add-tests.module.css';

interface SelectionPanelProps {
  run: Run;
  selection: Selection;
  change: (part: Partial<Selection>) => void;
  /** Of the company. */
  configurations: readonly Choice[];
  /** The selected ones. */
  selectedChoices: readonly Choice[];
  /** The query whose test cases are all selected; undefined if there is none. */
  filter: Readonly<Record<string, string>> | undefined;
}

/** On what the selected test cases are run, and by whom; and the button that adds them. */
export function SelectionPanel({
  run,
  selection,
  change,
  configurations,
  selectedChoices,
  filter,
}: SelectionPanelProps) {
  const people = usePeople();
  const add = useAddTests(run, selection.keepsFilter ? filter : undefined);
  const count = countTests(selection, selectedChoices.length);
  const isPaired = selectedChoices.length > 1 && selection.combine === 'pairwise';
  return (
    <section className={styles.panel} aria-label="How they are run">
      <fieldset>
        <legend>Configurations</legend>
        {configurations.length === 0 && <p className={styles.nothing}>There is none; each test is added once.</p>}
        <Checkboxes
          choices={configurations}
          selected={selection.configurations}
          onChange={(ids) => change({ configurations: ids })}
        />
        {selectedChoices.length > 1 && (
          <RadioGroup
            aria-label="How configurations are combined"
            value={selection.combine}
            onChange={(_, combine) => change({ combine: combine as Selection['combine'] })}
          >
            <FormControlLabel value="all" control={<Radio size="small" />} label="Each test on all of them" />
            <FormControlLabel
              value="pairwise"
              control={<Radio size="small" />}
              label="As few as contain each pair of browser, system and device"
            />
          </RadioGroup>
        )}
      </fieldset>
      <fieldset>
        <legend>Assigned to</legend>
        <Checkboxes
          choices={people.data ?? []}
          selected={new Set(selection.people)}
          onChange={(ids) => change({ people: [...ids] })}
        />
        {selection.people.length > 1 && (
          <RadioGroup
            aria-label="How tests are assigned"
            value={selection.distribution}
            onChange={(_, distribution) => change({ distribution: distribution as Selection['distribution'] })}
          >
            <FormControlLabel value="round_robin" control={<Radio size="small" />} label="One test after the other" />
            <FormControlLabel value="module" control={<Radio size="small" />} label="A whole module each" />
          </RadioGroup>
        )}
      </fieldset>
      {filter && (
        <fieldset>
          <legend>Later</legend>
          <FormControlLabel
            label="Keep this filter: test cases that match it later can be added with one click"
            control={
              <Checkbox
                size="small"
                checked={selection.keepsFilter}
                onChange={(_, keepsFilter) => change({ keepsFilter })}
              />
            }
          />
        </fieldset>
      )}
      <div className={styles.foot}>
        <p role="status">{describe(selection.cases.size, selectedChoices.length, count, isPaired)}</p>
        <Button
          variant="contained"
          size="large"
          disabled={selection.cases.size === 0 || add.isPending}
          onClick={() => add.mutate(selection)}
        >
          Add tests
        </Button>
      </div>
    </section>
  );
}

interface CheckboxesProps {
  choices: readonly Choice[];
  selected: ReadonlySet<number>;
  onChange: (selected: ReadonlySet<number>) => void;
}

function Checkboxes({ choices, selected, onChange }: CheckboxesProps) {
  return choices.map(({ id, title }) => (
    <FormControlLabel
      key={id}
      label={title}
      control={<Checkbox size="small" checked={selected.has(id)} onChange={() => onChange(toggled(selected, id))} />}
    />
  ));
}

function describe(cases: number, configurations: number, count: number, isPaired: boolean): string {
  if (cases === 0) return 'Select the test cases to run.';
  const casesText = cases === 1 ? 'One test case' : `${formatNumber(cases)} test cases`;
  if (configurations < 2) return `${casesText}. Those that are in the run stay as they are.`;
  return `${casesText} on ${configurations} configurations: ${isPaired ? 'at most ' : ''}${formatNumber(count)} tests. Those that are in the run stay as they are.`;
}

/** Adds the selected tests, by their filter where the run keeps it, assigns those that nobody has, and opens the run. */
function useAddTests(run: Run, filter: Readonly<Record<string, string>> | undefined) {
  const notify = useNotify();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async ({ cases, configurations, combine, people, distribution }: Selection) => {
      const { data } = await fetchApi<{ data: { added: number } }>(`/test-runs/${run.id}/tests`, {
        method: 'POST',
        json: {
          ...(filter ? { filter } : { test_cases: [...cases] }),
          configurations: [...configurations],
          combine,
          ...(people.length === 1 && { assigned_to: people[0] }),
        },
      });
      if (people.length < 2) return data.added;
      const json = { by: distribution, users: people };
      await fetchApi(`/test-runs/${run.id}/assign`, { method: 'POST', json });
      return data.added;
    },
    onSuccess: (addedCount) => {
      const words = addedCount === 1 ? 'One test was added.' : `${formatNumber(addedCount)} tests were added.`;
      notify(words, { type: 'success' });
      void navigate(`/test-runs/${run.id}/run`);
    },
    onError: (error) => notify(error.message, { type: 'error' }),
    onSettled: () => {
      // The runner keeps its list until it is told.
      void queryClient.invalidateQueries({ queryKey: ['runner-entries', run.id] });
      void queryClient.invalidateQueries({ queryKey: ['test-runs'] });
    },
  });
}
