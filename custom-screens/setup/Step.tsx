import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from '../../src/app/icons/Icon';
import * as styles from './setup.module.css';

interface StepLink {
  readonly label: string;
  readonly path: string;
  readonly icon?: string;
}

/** The page that the forms of the steps lead back to. */
const cameFrom = { from: '/flow-setup-steps', label: 'Setup' };

interface StepProps {
  number: number;
  title: string;
  state: StepState;
  /** Why it is locked. */
  reason?: string;
  picture: ReactNode;
  /** The button. */
  action: StepLink;
  /** The link that is shown when the step is done. */
  doneLink?: StepLink;
  children: ReactNode;
}

/**
 * A card of the setup: done with a check mark, next with the only active button, later dimmed with a lock and its reason.
 * A click anywhere on a card that is not locked opens it.
 */
export function Step({ number, title, state, reason, picture, action, doneLink, children }: StepProps) {
  return (
    <li className={styles.setupStep} data-state={state} aria-current={state === 'next' ? 'step' : undefined}>
      <p className={styles.setupState}>
        <span className={styles.setupNumber}>{state === 'done' ? <Icon name="check" /> : number}</span>
        {state === 'later' && <Icon name="lock" size={14} />}
        <span>{state === 'done' ? 'Done' : state === 'next' ? 'Next step' : reason}</span>
      </p>
      {picture}
      <h2>
        {state === 'done' ? (
          <Link to={action.path} state={cameFrom} className={styles.setupWhole}>
            {title}
          </Link>
        ) : (
          title
        )}
      </h2>
      <p className={styles.setupPurpose}>{children}</p>
      <div className={styles.setupWay}>
        {state === 'next' && (
          <Button
            component={Link}
            className={styles.setupWhole}
            to={action.path}
            state={cameFrom}
            variant="contained"
            size="large"
            startIcon={action.icon && <Icon name={action.icon} />}
          >
            {action.label}
          </Button>
        )}
        {state === 'later' && (
          <Button variant="outlined" size="large" disabled>
            {action.label}
          </Button>
        )}
        {state === 'done' && doneLink && (
          <Link to={doneLink.path} state={cameFrom}>
            {doneLink.label}
          </Link>
        )}
      </div>
    </li>
  );
}

/** `done` has a check mark, `next` the active button, `later` is locked. */
type StepState = 'done' | 'next' | 'later';

/** The progress of the setup. */
interface SetupProgress {
  /** The bar ends at the edge of a card. */
  readonly percent: 31.7 | 65.8 | 100;
  readonly sentence: string;
  readonly steps: readonly [StepState, StepState, StepState];
}

/** The state of the three steps: a client, a project, the dashboard. */
export function setupProgress(clients: number, projects: number): SetupProgress {
  if (clients === 0) {
    const project = projects > 0 ? 'done' : 'later';
    return { percent: 31.7, sentence: 'It begins with a client.', steps: ['next', project, 'later'] };
  }
  if (projects === 0) {
    return { percent: 65.8, sentence: 'Client created. Now its first project.', steps: ['done', 'next', 'later'] };
  }
  return { percent: 100, sentence: 'Everything is in place.', steps: ['done', 'done', 'next'] };
}
