import Button from '@mui/material/Button';
import { useNotify } from 'react-admin';
import { Link } from 'react-router-dom';
import type { Definition } from '../../../engine/definitions/definition';
import { recordPath } from '../../../engine/lists/row-actions';
import { useDefinitions } from '../../data/DefinitionsContext';
import { useMe } from '../../data/DefinitionsProvider';
import { Icon } from '../../icons/Icon';
import { startViewing } from '../../viewing/viewAs';
import type { Question, Step, Why } from './api';
import * as styles from './permissions.module.css';

interface WhyAnswerProps {
  definition: Definition | undefined;
  question: Question;
  answer: Why | undefined;
  /** Whether the answer is still that to the previous question. */
  isStale: boolean;
  error: Error | null;
}

const stepTitles: Readonly<Record<Step['kind'], string>> = {
  grant: 'Grant',
  company: 'Company',
  row: 'Row rule',
  archive: 'Archive',
  field: 'Field rule',
  transition: 'Transitions',
  guard: 'Safeguard',
};
const decidedBy: Readonly<Record<Step['kind'], string>> = {
  grant: 'by the grant',
  company: 'by the company',
  row: 'by a row rule',
  archive: 'by the archive',
  field: 'by a field rule',
  transition: 'by the transitions',
  guard: 'by a safeguard',
};
const outcomeIcons = { passed: 'check', failed: 'x', notReached: 'minus' } as const;
const outcomeLabels = { passed: 'Passed', failed: 'Failed', notReached: 'Not reached' } as const;

/** The decision, its steps, and who else is allowed. */
export function WhyAnswer({ definition, question, answer, isStale, error }: WhyAnswerProps) {
  const { actor } = useDefinitions();
  const me = useMe();
  const notify = useNotify();
  if (error) return <p className={styles.panelHint}>{error.message}</p>;
  if (!answer) return <p className={styles.panelHint}>Choose a user or service account, a module and an action.</p>;
  const failed = answer.steps.find(({ outcome }) => outcome === 'failed');
  // Company, archive and safeguards are shown only if they refuse.
  const steps = answer.steps.filter(
    ({ kind, outcome }) => ['grant', 'row', 'field', 'transition'].includes(kind) || outcome === 'failed',
  );
  return (
    <>
      <div className={`${styles.panelBody} ${styles.whyAnswer}`} role="status" aria-busy={isStale}>
        <p className={styles.whyVerdict} data-allowed={answer.allowed}>
          <b>
            <Icon name={answer.allowed ? 'check' : 'x'} />
            {answer.allowed ? 'Allowed' : 'Denied'}
          </b>
          {failed && <span>{decidedBy[failed.kind]}</span>}
        </p>
        <ul className={styles.ruleBox}>
          {steps.map((step) => (
            <StepLine key={step.kind} step={step} grant={`${question.module}.${question.action}`} />
          ))}
        </ul>
        {answer.allowedFor && <p className={styles.panelText}>{answer.allowedFor}</p>}
      </div>
      <footer className={styles.panelFoot} aria-busy={isStale}>
        {me?.user.mayViewAs && question.service === undefined && answer.user.id !== actor.id && (
          <Button
            variant="outlined"
            startIcon={<Icon name="eye" />}
            onClick={() =>
              void startViewing({ user: answer.user.id }).catch((failure: Error) =>
                notify(failure.message, { type: 'error' }),
              )
            }
          >
            View as {answer.user.name}
          </Button>
        )}
        {definition && answer.record && (
          <Button
            component={Link}
            to={recordPath(definition, answer.record)}
            variant="text"
            startIcon={<Icon name="external" />}
          >
            Open {definition.labels.one.toLowerCase()}
          </Button>
        )}
      </footer>
    </>
  );
}

function StepLine({ step: { kind, outcome, text, condition }, grant }: { step: Step; grant: string }) {
  return (
    <li data-outcome={outcome}>
      <Icon name={outcomeIcons[outcome]} label={outcomeLabels[outcome]} />
      <div>
        {stepTitles[kind]}
        {kind === 'grant' && ` ${grant}`}
        {condition && outcome !== 'notReached' && <code>{condition}</code>}
        <small>{text}</small>
      </div>
    </li>
  );
}
