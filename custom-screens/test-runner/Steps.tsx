import Box from '@mui/material/Box';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useMemo, useRef } from 'react';
import { Row } from '../../src/app/layout/Row';
import type { FileValue } from '../../src/engine/field-types/stored-files';
import { Icon } from '../../src/app/icons/Icon';
import { MarkdownText } from '../../src/app/fields/markdown/MarkdownText';
import type { Draft, DraftFile } from './draft';
import { DraftFiles, FileInput } from './EvidenceOfDraft';
import { ResultButtons } from './ResultButtons';
import type { PersonResult, Step } from './runnerApi';
import type { Evidence } from './useEvidence';
import * as styles from './runner.module.css';

interface StepsProps {
  steps: readonly Step[];
  /** Those that the texts of the steps can show. */
  pictures?: readonly FileValue[];
  draft: Draft;
  /** The number of the step that the keys P, F, B and S are for. */
  selected: number | null;
  /** The steps whose comment is open, beside those that have one. */
  commenting: ReadonlySet<number>;
  disabled: boolean;
  evidence: Evidence;
  onSelect: (step: number) => void;
  onResult: (step: number, result: PersonResult) => void;
  onComment: (step: number) => void;
  onCommentText: (step: number, text: string) => void;
  onPassRest: () => void;
}

const noFiles: readonly DraftFile[] = [];

/** The id of the comment of a step. */
export const stepCommentId = (step: number): string => `step-${step}-comment`;

/** The id of the input that takes the files of a step. */
export const stepFilesId = (step: number): string => `step-${step}-files`;

/** The steps of a test: what to do, with what, what is expected, and what was found. */
export function Steps({ steps, draft, ...actions }: StepsProps) {
  const doneCount = steps.filter((_, index) => draft.steps[index + 1]?.result !== undefined).length;
  return (
    <div className={styles.steps}>
      <div className={styles.stepHead} aria-hidden="true">
        <span>#</span>
        <span>Action</span>
        <span>Data</span>
        <span>Expected</span>
        <span>Result</span>
      </div>
      <ol aria-label="Steps">
        {steps.map((step, index) => (
          <StepRow
            key={index}
            {...actions}
            number={index + 1}
            step={step}
            stepDraft={draft.steps[index + 1]}
            allFiles={draft.files}
          />
        ))}
      </ol>
      <div className={styles.stepFoot}>
        <button type="button" disabled={actions.disabled || doneCount === steps.length} onClick={actions.onPassRest}>
          <Icon name="check" />
          Pass the rest
        </button>
        <span className="num">
          {doneCount} of {steps.length} {steps.length === 1 ? 'step' : 'steps'}
        </span>
      </div>
    </div>
  );
}

interface StepRowProps extends Omit<StepsProps, 'steps' | 'draft' | 'onPassRest'> {
  number: number;
  step: Step;
  stepDraft: Draft['steps'][number] | undefined;
  /** Of all steps. */
  allFiles?: readonly DraftFile[];
}

function StepRow({
  number,
  step,
  pictures,
  stepDraft,
  allFiles = noFiles,
  evidence,
  selected,
  commenting,
  disabled,
  ...handlers
}: StepRowProps) {
  const files = useMemo(() => allFiles.filter((file) => file.step === number), [allFiles, number]);
  const addFiles = useRef<HTMLButtonElement>(null);
  const filePicker = useRef<HTMLInputElement>(null);
  const hasComment = commenting.has(number) || stepDraft?.comment !== undefined;
  return (
    <li
      className={styles.step}
      data-step={number}
      data-selected={selected === number || undefined}
      data-over={evidence.dropStep === number || undefined}
      aria-current={selected === number ? 'step' : undefined}
      onClick={() => handlers.onSelect(number)}
    >
      <Box className="num" component="span" sx={{ color: 'var(--t3)', lineHeight: '28px' }}>
        {number}
      </Box>
      <div className={styles.stepText}>{step.action && <MarkdownText text={step.action} pictures={pictures} />}</div>
      <div className={styles.stepText} data-part="data">
        {step.data && <MarkdownText text={step.data} pictures={pictures} />}
      </div>
      <div className={styles.stepText} data-part="expected">
        {step.expected && (
          <Box
            component="span"
            sx={{ display: 'none', '@container (max-width: 640px)': { display: 'inline', color: 'var(--t3)' } }}
          >
            Expected:{' '}
          </Box>
        )}
        {step.expected && <MarkdownText text={step.expected} pictures={pictures} />}
      </div>
      <Row spacing={2.5} sx={{ '@container (max-width: 640px)': { gridColumn: '2' } }}>
        <ResultButtons
          label={`Result of step ${number}`}
          value={stepDraft?.result}
          short
          disabled={disabled}
          onChoose={(result) => handlers.onResult(number, result)}
        />
        <button
          type="button"
          className={styles.iconButton}
          aria-label={`Comment on step ${number}`}
          title="Comment"
          disabled={disabled}
          onClick={() => handlers.onComment(number)}
        >
          <Icon name="message" />
        </button>
        {evidence.field && (
          <>
            <button
              ref={addFiles}
              type="button"
              className={styles.iconButton}
              aria-label={`Add files to step ${number}`}
              title="Add files"
              disabled={disabled}
              onClick={() => filePicker.current?.click()}
            >
              <Icon name="paperclip" />
            </button>
            <FileInput ref={filePicker} id={stepFilesId(number)} evidence={evidence} step={number} />
          </>
        )}
      </Row>
      {hasComment && (
        <OutlinedInput
          className={styles.stepComment}
          multiline
          minRows={2}
          maxRows={8}
          id={stepCommentId(number)}
          placeholder="What happened instead?"
          disabled={disabled}
          value={stepDraft?.comment ?? ''}
          onChange={(event) => handlers.onCommentText(number, event.target.value)}
          slotProps={{ input: { 'aria-label': `Comment on step ${number}`, maxLength: 5000 } }}
        />
      )}
      {files.length > 0 && (
        <div className={styles.stepEvidence} role="group" aria-label={`Evidence of step ${number}`}>
          <DraftFiles {...{ files, evidence, disabled }} onRemoved={() => addFiles.current?.focus()} />
        </div>
      )}
    </li>
  );
}
