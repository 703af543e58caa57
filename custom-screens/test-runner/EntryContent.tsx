import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Stack from '@mui/material/Stack';
import type { ReactNode } from 'react';
import { useDefinitions } from '../../src/app/data/DefinitionsContext';
import { useOpenDialog } from '../../src/app/dialogs/openDialog';
import { Icon } from '../../src/app/icons/Icon';
import { RichText } from '../../src/app/fields/richText/RichText';
import { entryKey } from './entryOrder';
import type { EntryDetails } from './runnerApi';
import * as styles from './runner.module.css';

interface EntryContentProps {
  entry: EntryDetails;
  /** Opens the form of the test case; without it the actor may not change it. */
  onEdit?: () => void;
  /** The steps, if there are some. */
  children?: ReactNode;
}

/** The content of a test: as its test case was when it came into the run. */
export function EntryContent({ entry, onEdit, children }: EntryContentProps) {
  const pinnedCase = entry.pinned ?? {};
  const { steps = [] } = pinnedCase;
  const hasSteps = steps.length > 0;
  // A result that the last step names already is not said twice.
  const expectedResult =
    pinnedCase.expected_result?.trim() === steps.at(-1)?.expected?.trim() ? undefined : pinnedCase.expected_result;
  return (
    <>
      <header className={styles.contentHead}>
        <Stack direction="row" sx={{ flexWrap: 'wrap', alignItems: 'center', rowGap: 1.5, columnGap: 2.5 }}>
          <Box className="num" component="span" sx={{ color: 'var(--t3)', fontSize: 13, fontWeight: 500 }}>
            {entryKey(entry)}
          </Box>
          {entry.module && <span className={styles.entryMark}>{entry.module}</span>}
          {entry.configuration && <span className={styles.entryMark}>{entry.configuration.name}</span>}
          {entry.assigned && <span className={styles.entryMark}>{entry.assigned.name}</span>}
          <TestCaseButtons entry={entry} onEdit={onEdit} />
        </Stack>
        <h2>{entry.name}</h2>
        {pinnedCase.description && (
          <Part label="Description">
            <RichText html={pinnedCase.description} />
          </Part>
        )}
        <TextPart label="Pre-conditions" text={pinnedCase.pre_conditions} />
        <TextPart label="Test data" text={pinnedCase.test_data} />
        <TextPart label="Steps to reproduce" text={pinnedCase.steps_to_reproduce} />
        <TextPart label={hasSteps ? 'Expected in the end' : 'Expected result'} text={expectedResult} />
      </header>
      {children}
    </>
  );
}

function TextPart({ label, text }: { label: string; text?: string }) {
  if (!text?.trim()) return null;
  return (
    <Part label={label}>
      <p>{text}</p>
    </Part>
  );
}

function Part({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.part}>
      <h3>{label}</h3>
      {children}
    </div>
  );
}

/** Opens the test case as it is now, to read or to change it. */
function TestCaseButtons({ entry, onEdit }: EntryContentProps) {
  const { registry } = useDefinitions();
  const open = useOpenDialog();
  const definition = registry.get('test-cases');
  const { test_case: testCase } = entry;
  if (!definition || !testCase) return null;
  const key = entryKey(entry);
  const show = () => open({ kind: 'form', definition, mode: 'view', id: String(testCase.id) });
  return (
    <Stack component="span" direction="row" sx={{ gap: 1, ml: 'auto' }}>
      <IconButton size="small" aria-label={`Open ${key}`} title={`Open ${key}`} onClick={show}>
        <Icon name="external" />
      </IconButton>
      {onEdit && (
        <IconButton size="small" aria-label={`Edit ${key}`} title={`Edit ${key} (E)`} onClick={onEdit}>
          <Icon name="pencil" />
        </IconButton>
      )}
    </Stack>
  );
}
