import Autocomplete from '@mui/material/Autocomplete';
import Button from '@mui/material/Button';
import TextField from '@mui/material/TextField';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNotify } from 'react-admin';
import { Link } from 'react-router-dom';
import { isGranted } from '../../src/engine/access/access-decision';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { Icon } from '../../src/app/icons/Icon';
import type { CiResult } from '../../src/product/answers/ci-results';
import { changeTest, fetchSimilarCases, makeTestCases, type SimilarCase } from './ciApi';
import * as styles from './ci-results.module.css';

/** The test case of a test; without one, the most similar one to link, a search, and a button that makes one. */
export function CaseBar({ result, test }: { result: CiResult; test: number }) {
  const { actor } = useDefinitions();
  const [text, setText] = useState('');
  const notify = useNotify();
  const queryClient = useQueryClient();
  const hasCase = result.test_case !== null;
  const mayLink = !actor.viewer && isGranted(actor, 'automated-tests', 'edit');
  const find = (search: string) => ({
    queryKey: ['test-cases', 'similar', test, search],
    queryFn: ({ signal }: { signal: AbortSignal }) => fetchSimilarCases(test, search, signal),
    enabled: !hasCase && mayLink,
    retry: false,
    meta: { quiet: true },
  });
  const { data: [similar] = [] } = useQuery(find(''));
  const { data: matches = [] } = useQuery(find(text));
  const run = async (work: () => Promise<string>) => {
    try {
      notify(await work(), { type: 'success' });
    } catch (error) {
      notify(error instanceof Error ? error.message : 'It could not be stored.', { type: 'error' });
    }
    for (const key of ['run-entries', 'automated-tests', 'test-cases'])
      void queryClient.invalidateQueries({ queryKey: [key] });
  };
  const link = (testCase: SimilarCase) =>
    run(async () => {
      await changeTest(test, { test_case_id: testCase.id });
      return `Linked to ${testCase.key ?? testCase.name}.`;
    });
  if (result.test_case) {
    return (
      <div className={styles.fact}>
        <Icon name="list-check" />
        <span>
          <Link to={`/test-cases/${result.test_case.id}`}>{result.test_case.key}</Link> {result.test_case.name}
        </span>
      </div>
    );
  }
  return (
    <div className={styles.fact}>
      <Icon name="list-check" />
      <span>
        <b>No case yet.</b> {similar && `Looks like ${similar.key ?? similar.name}, ${similar.similarity}% alike.`}
      </span>
      {mayLink && (
        <>
          {similar && (
            <Button variant="outlined" startIcon={<Icon name="link" />} onClick={() => void link(similar)}>
              Link {similar.key}
            </Button>
          )}
          <Autocomplete
            size="small"
            className={styles.caseSearch}
            options={matches}
            value={null}
            inputValue={text}
            blurOnSelect
            filterOptions={(options) => options}
            getOptionLabel={(option) => [option.key, option.name].filter(Boolean).join(' ')}
            getOptionKey={(option) => option.id}
            noOptionsText="No test case has this."
            onInputChange={(_, value, reason) => setText(reason === 'input' ? value : '')}
            onChange={(_, option) => option && void link(option)}
            renderInput={(params) => (
              <TextField
                {...params}
                placeholder="Link another"
                slotProps={{
                  ...params.slotProps,
                  htmlInput: { ...params.slotProps.htmlInput, 'aria-label': 'Link another test case' },
                }}
              />
            )}
          />
          {isGranted(actor, 'test-cases', 'create') && (
            <Button
              variant="outlined"
              startIcon={<Icon name="plus" />}
              onClick={() =>
                void run(async () => {
                  const { created } = await makeTestCases([test]);
                  return created.length === 0 ? 'It has a test case already.' : 'The test case is created and linked.';
                })
              }
            >
              Create case
            </Button>
          )}
        </>
      )}
    </div>
  );
}
